import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { deriveKey } from '../credentials/seal.ts';

/**
 * What counts as one client: an IPv4 address, also in IPv6 notation, or the /64 network of an IPv6 address, which one client usually has
 * (RFC 6177).
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

/** Enough to tell apart all addresses that pay at one time. */
const idChars = 22;

/**
 * Ids of clients without a key (`clientOf`), so that other services can limit them without their addresses. A keyed digest of
 * REGISTRY_SECRET: the same at every gateway, and without the secret no address can be tested against it.
 */
export function createAnonymousIds(secret: string): (client: string) => string {
  const key = deriveKey(secret, 'anonymous caller ids');
  return (client) => createHmac('sha256', key).update(client, 'utf8').digest('base64url').slice(0, idChars);
}
