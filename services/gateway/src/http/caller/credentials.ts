import {
  type AgentIdentity,
  authenticateAgentKey,
  authenticateOrgKey,
  changedKeys,
  DomainError,
  type ErrorCode,
  holdsRegistryKey,
  organisationIsDisabled,
  type OrgIdentity,
} from '@agent-trust/contracts';
import type { Replica } from '@agent-trust/edge-replica/bus';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import { sameSecret, sha256Hex, isAgentKey, isOrgKey } from '../../credentials/keys.ts';
import type { GatewaySettings } from '../../settings.ts';
import type { KeyDirectory } from './key-directory/key-directory.ts';
import type { NonceStore } from './signature/nonce-store.ts';

/** The dependencies of identifying a caller. */
export type Identifying = {
  readonly settings: GatewaySettings;
  readonly logger: Logger;
  readonly rpc: Rpc;
  /** Answers of the services that are held: identities of credentials, by hashes of keys, and trust objects of production. */
  readonly replica: Replica;
  readonly nonces: NonceStore;
  readonly keyDirectory: KeyDirectory;
  /** Hosts of this registry; known once the server listens. */
  authorities: ReadonlySet<string>;
  /** For links, without a slash at its end. Known once the server listens. */
  baseUrl: string;
};

/** The organisation whose key this is. @throws DomainError with the given code for an unknown key; organisation_disabled, unavailable, overloaded. */
export async function organisationOfKey(
  gateway: Identifying,
  request: FastifyRequest,
  apiKey: string,
  badApiKey: ErrorCode,
): Promise<OrgIdentity> {
  const organisation = isOrgKey(apiKey) ? await organisationOfHash(gateway, request, sha256Hex(apiKey)) : null;
  if (organisation === null) throw new DomainError(badApiKey, 'X-API-KEY is not the key of an organisation');
  const { isDisabled, ...identity } = organisation;
  if (isDisabled) throw organisationIsDisabled(identity.orgName);
  return identity;
}

/** Unknown keys are not held: anybody can send any number of them. */
const organisationOfHash = (gateway: Identifying, request: FastifyRequest, keyHash: string) =>
  gateway.replica.read(changedKeys.credential(keyHash), async () => {
    const { organisation } = await ask(gateway, request, authenticateOrgKey, { keyHash });
    return { value: organisation, dependsOn: organisation && [changedKeys.organisation(organisation.orgId)] };
  });

const agentOfHash = (gateway: Identifying, request: FastifyRequest, keyHash: string) =>
  gateway.replica.read(changedKeys.credential(keyHash), async () => {
    const { agent } = await ask(gateway, request, authenticateAgentKey, { keyHash });
    return { value: agent, dependsOn: agent && [changedKeys.agent(agent.agentId)] };
  });

const tokenIn = (authorization: string): string => /^Bearer +([\x21-\x7e]+)$/iu.exec(authorization)?.[1] ?? '';

/** The agent whose key Authorization holds; null for anything else. */
export async function agentOfBearer(
  gateway: Identifying,
  request: FastifyRequest,
  authorization: string,
): Promise<AgentIdentity | null> {
  const token = tokenIn(authorization);
  if (!isAgentKey(token)) return null;
  return agentOfHash(gateway, request, sha256Hex(token));
}

/**
 * Whether Authorization holds the operator's token. It is refused from pages of CORS_ALLOWED_ORIGINS and MCP_ALLOWED_ORIGINS: it is sent
 * like an agent's key, so no preflight can tell them apart. Pages of other origins are blocked before. @throws DomainError
 * browser_request_refused.
 */
export function isAdminToken(
  { settings }: Identifying,
  { headers: { origin } }: FastifyRequest,
  authorization: string,
): boolean {
  if (!sameSecret(tokenIn(authorization), settings.ADMIN_TOKEN)) return false;
  if (origin !== undefined && [...settings.CORS_ALLOWED_ORIGINS, ...settings.MCP_ALLOWED_ORIGINS].includes(origin)) {
    throw new DomainError(
      'browser_request_refused',
      "the operator's token is not taken from web pages of other origins",
    );
  }
  return true;
}

/** Whether Authorization holds a credential of this registry, including the operator's. */
export function isOfRegistry({ settings }: Identifying, authorization: string): boolean {
  const token = authorization.replace(/^Bearer +/iu, '').trim();
  return (
    holdsRegistryKey(authorization) || sameSecret(token, settings.ADMIN_TOKEN) || sameSecret(token, settings.ADMIN_KEY)
  );
}

/**
 * Checks X-Admin-Key. A browser always sends Origin or Sec-Fetch-Site, and must not use the key; Sec-Fetch-Mode proves nothing, because
 * Node's own fetch sends it. @throws DomainError invalid_admin_key, browser_request_refused.
 */
export function ensureAdminKey({ settings }: Identifying, { headers }: FastifyRequest): void {
  const key = headers['x-admin-key'];
  if (typeof key !== 'string' || !sameSecret(key, settings.ADMIN_KEY)) {
    throw new DomainError('invalid_admin_key', 'X-Admin-Key is missing or wrong');
  }
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    throw new DomainError('browser_request_refused', 'requests from a browser are refused: a proxy adds the key');
  }
}
