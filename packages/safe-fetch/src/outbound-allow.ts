import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './public-address.ts';

type AllowedPort = { port: number | undefined };
type AllowedName = AllowedPort & { name: string };
type AllowedRange = AllowedPort & { range: [Address, number] };

export type OutboundAllow = { names: readonly AllowedName[]; ranges: readonly AllowedRange[] };

/**
 * Reads OUTBOUND_ALLOW: host names, addresses and CIDR ranges with an optional `:port`, separated by commas, IPv6 in brackets:
 * `agents.internal:8443,10.0.0.0/8,127.0.0.1:9000,[::1],[fd00::/8]:443`. A name allows every address that it resolves to; addresses and ranges apply
 * to resolved addresses, too. The empty text allows nothing. Throws RangeError that names the faulty item.
 */
export function parseOutboundAllow(text: string): OutboundAllow {
  const names: AllowedName[] = [];
  const ranges: AllowedRange[] = [];
  const items = text.trim() === '' ? [] : text.split(',').map((item) => item.trim());
  for (const item of items) {
    const { target, prefix, port } = split(item);
    const address = parseAddress(target);
    if (address) ranges.push({ range: [address, prefixLength(item, address, target, prefix)], port });
    else if (prefix === undefined && isName(target)) names.push({ name: withoutRoot(target), port });
    else throw fault(item);
  }
  return { names, ranges };
}

/** Whether `parseOutboundAllow` takes the text. */
export function isOutboundAllow(text: string): boolean {
  try {
    return parseOutboundAllow(text) !== undefined;
  } catch {
    return false;
  }
}

/** Whether the allow list opens this address for this host name and port. */
export function isOpened(allow: OutboundAllow, host: string, port: number, address: Address): boolean {
  return matchingPorts(allow, host, address).some((allowed) => allowed === undefined || allowed === port);
}

/** Whether the allow list names this very port for this address. */
export function isOpenedByPort(allow: OutboundAllow, host: string, port: number, address: Address): boolean {
  return matchingPorts(allow, host, address).includes(port);
}

const matchingPorts = (allow: OutboundAllow, host: string, address: Address): (number | undefined)[] => [
  ...allow.names.filter(({ name }) => name === host).map(({ port }) => port),
  ...allow.ranges.filter(({ range }) => isInRange(address, range)).map(({ port }) => port),
];

const isInRange = (address: Address, [base, length]: [Address, number]): boolean =>
  address.kind() === base.kind() && (address as ipaddr.IPv4).match(base as ipaddr.IPv4, length);

const itemPatterns: readonly RegExp[] = [
  /^\[(?<target>[0-9a-f:.]+)(?:\/(?<prefix>\d{1,3}))?\](?::(?<port>\d{1,5}))?$/i,
  /^\[(?<target>[0-9a-f:.]+)\]\/(?<prefix>\d{1,3})(?::(?<port>\d{1,5}))?$/i,
  /^(?<target>[^[\]:/\s]+)(?:\/(?<prefix>\d{1,2}))?(?::(?<port>\d{1,5}))?$/,
];

const split = (item: string): { target: string; prefix: string | undefined; port: number | undefined } => {
  for (const [index, pattern] of itemPatterns.entries()) {
    const groups = pattern.exec(item)?.groups;
    if (groups?.target === undefined) continue;
    if (index < 2 && !groups.target.includes(':')) throw fault(item);
    const port = groups.port === undefined ? undefined : Number(groups.port);
    if (port !== undefined && (port < 1 || port > 65_535)) throw fault(item);
    return { target: groups.target, prefix: groups.prefix, port };
  }
  throw fault(item);
};

const prefixLength = (item: string, address: Address, target: string, prefix: string | undefined): number => {
  const lengthMax = address.kind() === 'ipv4' ? 32 : 128;
  // The prefix of an IPv4-mapped range counts bits of IPv6, but its address has become IPv4.
  const isMapped = address.kind() === 'ipv4' && target.includes(':');
  const length = prefix === undefined ? lengthMax : Number(prefix);
  if (length > lengthMax || (prefix !== undefined && isMapped)) throw fault(item);
  return length;
};

/** A name as the URL parser normalises it; `127.1` and the like would become an address. */
const isName = (text: string): boolean => {
  const host = URL.parse(`http://${text}/`)?.hostname;
  return host !== undefined && host === text.toLowerCase() && !ipaddr.isValid(host) && /^[a-z0-9._-]+$/.test(host);
};

const withoutRoot = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const fault = (item: string): RangeError =>
  new RangeError(
    `OUTBOUND_ALLOW: "${item}" is not a host name, address or CIDR range with an optional :port (IPv6 in brackets)`,
  );
