import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses a usual notation, IPv4-mapped IPv6 (`::ffff:a.b.c.d`) as IPv4. Undefined for anything else, including addresses with a zone. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Whether the address is a unicast address of the public internet (IANA special-purpose registries, RFC 6890). For IPv6 only 2000::/3 is public:
 * every other block is special or unassigned. Blocks that embed an IPv4 address (6to4, Teredo, NAT64, IPv4-compatible, IPv4-translated) are never
 * public, whatever address they embed.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast) && !isIsatap(address);
  return !cloudMetadata.some((other) => other === address.toString());
}

const globalUnicast: [ipaddr.IPv6, number] = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public according to the registries, but served by the host of a virtual machine: Azure's wire server. */
const cloudMetadata: readonly string[] = ['168.63.129.16'];

/** RFC 5214: an interface id of [02]00:5efe and an IPv4 address, under any prefix. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  ((address.parts[4] ?? 0) & 0xfdff) === 0 && address.parts[5] === 0x5efe;
