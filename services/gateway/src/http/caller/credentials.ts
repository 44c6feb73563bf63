import {
  type AgentIdentity,
  authenticateAgentKey,
  authenticateOrgKey,
  DomainError,
  type ErrorCode,
  holdsRegistryKey,
  type OrgIdentity,
} from '@agent-trust/contracts';
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
  readonly nonces: NonceStore;
  readonly keyDirectory: KeyDirectory;
  /** Hosts of this registry; known once the server listens. */
  authorities: ReadonlySet<string>;
  /** For links, without a slash at its end. Known once the server listens. */
  baseUrl: string;
};

/** The organisation whose key this is. @throws DomainError with the given code for an unknown key; unavailable, overloaded. */
export async function organisationOfKey(
  gateway: Identifying,
  request: FastifyRequest,
  apiKey: string,
  badApiKey: ErrorCode,
): Promise<OrgIdentity> {
  const { organisation } = isOrgKey(apiKey)
    ? await ask(gateway, request, authenticateOrgKey, { keyHash: sha256Hex(apiKey) })
    : { organisation: null };
  if (organisation === null) throw new DomainError(badApiKey, 'X-API-KEY is not the key of an organisation');
  return organisation;
}

const tokenIn = (authorization: string): string => /^Bearer +([\x21-\x7e]+)$/iu.exec(authorization)?.[1] ?? '';

/** The agent whose key Authorization holds; null for anything else. */
export async function agentOfBearer(
  gateway: Identifying,
  request: FastifyRequest,
  authorization: string,
): Promise<AgentIdentity | null> {
  const token = tokenIn(authorization);
  if (!isAgentKey(token)) return null;
  return (await ask(gateway, request, authenticateAgentKey, { keyHash: sha256Hex(token) })).agent;
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
