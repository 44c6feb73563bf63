import { DomainError } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { sameSecret } from '../../credentials/hash.ts';
import type { Gateway } from '../../gateway.ts';
import { noteCredential } from './held-credentials.ts';

/**
 * Holds a request to X-Admin-Key. A browser always says so with Origin or Sec-Fetch-Site, and the key has no business in one;
 * Sec-Fetch-Mode does not tell, because Node's own fetch sends it.
 *
 * @throws DomainError invalid_admin_key, browser_request_refused.
 */
export function requireAdminKey(gateway: Gateway, request: FastifyRequest): void {
  const { headers } = request;
  const key = headers['x-admin-key'];
  if (typeof key !== 'string' || !sameSecret(key, gateway.settings.ADMIN_KEY)) {
    throw new DomainError('invalid_admin_key', 'X-Admin-Key is missing or wrong');
  }
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    throw new DomainError('browser_request_refused', 'requests from a browser are refused: a proxy adds the key');
  }
  noteCredential(request, 'admin_key');
}

/**
 * Holds the operator's token back from pages that CORS_ALLOWED_ORIGINS lets use the interface, or MCP_ALLOWED_ORIGINS the MCP server: it travels
 * like an agent's key, so no preflight can tell the two apart. Pages of other origins do not come so far.
 *
 * @throws DomainError browser_request_refused.
 */
export function refuseForeignPage({ settings }: Gateway, { headers: { origin } }: FastifyRequest): void {
  const named = [...settings.CORS_ALLOWED_ORIGINS, ...settings.MCP_ALLOWED_ORIGINS];
  if (origin === undefined || !named.includes(origin)) return;
  throw new DomainError('browser_request_refused', "the operator's token is not taken from web pages of other origins");
}
