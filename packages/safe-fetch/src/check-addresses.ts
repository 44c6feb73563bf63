import { isDeniedPort } from './denied-ports.ts';
import { outboundLimits } from './limits.ts';
import { isOpened, isOpenedByPort, type OutboundAllow } from './outbound-allow.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';

/**
 * Passes if every address of the host may be contacted on the port: the address is public or opened by the allow list, and the port is not denied or
 * is opened by name. One forbidden address among many refuses them all, because the address used would be up to chance, and to whoever controls the
 * name.
 *
 * @throws {OutboundError} `not_allowed`; its cause names host and address.
 */
export function checkAddresses(
  allow: OutboundAllow,
  target: { host: string; port: number },
  addresses: readonly string[],
): void {
  const { host, port } = target;
  const refuse = (reason: string, address: string): never => {
    throw new OutboundError('not_allowed', reason, new Error(`${host} port ${port} at ${address}: ${reason}`));
  };
  if (addresses.length === 0) throw new OutboundError('unreachable', 'no_address', new Error(`${host} has no address`));
  if (addresses.length > outboundLimits.addressesPerNameMax)
    refuse('too_many_addresses', `${addresses.length} addresses`);
  for (const text of addresses) {
    const address = parseAddress(text);
    if (address === undefined) return refuse('unknown_address', text);
    if (!isPublicAddress(address) && !isOpened(allow, host, port, address)) refuse('private_address', text);
    if (isDeniedPort(port) && !isOpenedByPort(allow, host, port, address)) refuse('denied_port', text);
  }
}
