import { createHmac } from 'node:crypto';
import { deriveKey } from '../../credentials/seal.ts';

/** Enough that no two of the addresses that pay at one time are one. */
const idChars = 22;

/**
 * Ids for clients without a key, so that the services behind the gateway can limit what one client has under way without knowing its
 * address. A keyed digest: the same at every gateway of a registry, and nobody without the registry's secret can test an address against it.
 *
 * @param secret REGISTRY_SECRET.
 * @returns the id of a client (`clientOf`).
 */
export function createAnonymousIds(secret: string): (client: string) => string {
  const key = deriveKey(secret, 'anonymous caller ids');
  return (client) => createHmac('sha256', key).update(client, 'utf8').digest('base64url').slice(0, idChars);
}
