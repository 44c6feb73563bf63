import { isIPv6 } from 'node:net';

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
