import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { deriveKey } from '../credentials/seal.ts';

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, since whoever holds one holds all of it
 * (RFC 6177). IPv4 addresses written as IPv6 are the IPv4 addresses they are.
 */
export function clientOf(address: string): string {
  const bare = address.replace(/%.*$/u, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return bare;
  // The URL parser writes every form of an address in the same way.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [left = '', right] = canonical.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const groups =
    right === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

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
