import { createHmac } from 'node:crypto';
import { deriveKey } from '../../credentials/derive-key.ts';

/** Enough that no two of the addresses that pay at one time are one. */
const idChars = 22;

/**
 * Names for clients without a key, so that the parts behind the gateway can bound what one of them has under way without knowing its address.
 * A keyed digest: the same at every gateway of a registry, or one client would be several; another for each registry; and nothing that
 * somebody without the registry's secret could test an address against.
 *
 * @param secret REGISTRY_SECRET.
 * @returns of a client (`clientOf`) its name.
 */
export function createStrangerIds(secret: string): (client: string) => string {
  const key = deriveKey(secret, 'stranger ids');
  return (client) => createHmac('sha256', key).update(client, 'utf8').digest('base64url').slice(0, idChars);
}
