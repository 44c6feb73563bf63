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
import { tokenIn } from './bearer-token.ts';
import type { KeyDirectory } from './key-directory/key-directory.ts';
import type { KeyUses } from './key-uses.ts';
import type { Oidc } from './operator/oidc/oidc.ts';

import type { NonceStore } from './signature/nonce-store.ts';

/** The dependencies of identifying a caller. */
export type Identifying = {
  readonly settings: GatewaySettings;
  readonly logger: Logger;
  readonly rpc: Rpc;
  /** Answers of the services that are held: identities of credentials, by hashes of keys, and trust objects of production. */
  readonly replica: Replica;
  readonly nonces: NonceStore;
  /** Tokens of the OpenID Connect issuer of operators; null if none is configured. */
  readonly oidc: Oidc | null;
  /** When operators' keys were last used. */
  readonly operatorKeyUses: KeyUses;
  /** When organisations' named keys were last used. */
  readonly organisationKeyUses: KeyUses;
  readonly keyDirectory: KeyDirectory;
  /** Hosts of this registry; known once the server listens. */
  authorities: ReadonlySet<string>;
  /** For links, without a slash at its end. Known once the server listens. */
  baseUrl: string;
};

/** The organisation whose key this is. @throws DomainError with the given code for an unknown or expired key; organisation_disabled, unavailable, overloaded. */
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
  const { namedKey } = identity;
  if (namedKey !== null) {
    // Held in memory, so the clock decides at each use.
    if (Date.parse(namedKey.expiresAt) <= Date.now()) {
      const ended = `the key ${JSON.stringify(namedKey.name)} of the organisation, or this secret of it, expired`;
      throw new DomainError(badApiKey, `${ended} at ${namedKey.expiresAt}`);
    }
    gateway.organisationKeyUses.note(namedKey.keyId);
  }
  return identity;
}

/** Unknown keys are not held: anybody can send any number of them. */
const organisationOfHash = (gateway: Identifying, request: FastifyRequest, keyHash: string) =>
  gateway.replica.read(changedKeys.credential(keyHash), async () => {
    const { organisation } = await ask(gateway, request, authenticateOrgKey, { keyHash, withNamedKeys: true });
    return { value: organisation, dependsOn: organisation && [changedKeys.organisation(organisation.orgId)] };
  });

const agentOfHash = (gateway: Identifying, request: FastifyRequest, keyHash: string) =>
  gateway.replica.read(changedKeys.credential(keyHash), async () => {
    const { agent } = await ask(gateway, request, authenticateAgentKey, { keyHash });
    return { value: agent, dependsOn: agent && [changedKeys.agent(agent.agentId)] };
  });

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

/** Whether Authorization holds a credential of this registry, including those of operators. */
export function isOfRegistry({ settings, oidc }: Identifying, authorization: string): boolean {
  const token = authorization.replace(/^Bearer +/iu, '').trim();
  return (
    holdsRegistryKey(authorization) ||
    sameSecret(token, settings.ADMIN_TOKEN) ||
    sameSecret(token, settings.ADMIN_KEY) ||
    oidc?.isForRegistry(token) === true
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
