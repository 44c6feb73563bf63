import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { checkAddresses } from './check-addresses.ts';
import type { OutboundAllow } from './outbound-allow.ts';
import { OutboundError } from './outbound-error.ts';
import { parseAddress } from './public-address.ts';
import type { ResolveName } from './resolve-name.ts';

/** Wait for one address of a name before the next is tried in parallel (RFC 8305, section 5). */
const nextAddressDelayMs = 250;

export type ConnectorOptions = {
  allow: OutboundAllow;
  resolve: ResolveName;
  connectTimeoutMs: number;
  /** See `SafeFetchOptions`. */
  extraCa?: string | undefined;
};

/**
 * Makes the connections of the outbound client. The check is here, and not before the request, because only here the connected address is certain to
 * be the checked one: a name is resolved once, all its addresses are checked, and the socket gets exactly these (a second lookup could answer
 * otherwise: DNS rebinding). Addresses in URLs are checked here too; sockets connect to them without a lookup.
 */
export function createCheckedConnector(options: ConnectorOptions): buildConnector.connector {
  // Read once: the list has hundreds of certificates.
  const ca = options.extraCa === undefined ? undefined : [...getCACertificates('default'), options.extraCa];
  const connect = async (target: buildConnector.Options): Promise<Socket> => {
    const host = target.hostname.toLowerCase();
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const addresses = isIP(host) === 0 ? await options.resolve(host) : [host];
    checkAddresses(options.allow, { host, port }, addresses);
    // A timeout of its own: a slow lookup that used up part of it would look like a server that cannot be connected to.
    const socket = await openSocket(target, addresses, { timeout: options.connectTimeoutMs, ca });
    const reached = parseAddress(socket.remoteAddress ?? '')?.toString();
    if (addresses.some((address) => parseAddress(address)?.toString() === reached)) return socket;
    socket.destroy();
    throw new OutboundError(
      'not_allowed',
      'other_address',
      new Error(`${host} was reached at ${socket.remoteAddress}`),
    );
  };
  return callbackify(connect) as unknown as buildConnector.connector;
}

const openSocket = (
  target: buildConnector.Options,
  addresses: readonly string[],
  { timeout, ca }: { timeout: number; ca: string[] | undefined },
): Promise<Socket> => {
  const open = buildConnector({
    allowH2: false,
    // A resumed TLS session skips the check of the certificate, which every connection must pass.
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    timeout,
    ...(ca === undefined ? {} : { ca }),
    autoSelectFamily: addresses.length > 1,
    autoSelectFamilyAttemptTimeout: nextAddressDelayMs,
    lookup: pinned(addresses),
  } as buildConnector.BuildOptions);
  return new Promise((resolve, reject) => {
    open(target, (error: Error | null, socket?: Socket | null) => {
      if (socket) resolve(socket);
      else reject(error ?? new Error('no socket'));
    });
  });
};

const pinned = (addresses: readonly string[]): LookupFunction => {
  const records: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 4 }] = records;
  return (_host, lookupOptions, callback) => {
    if (lookupOptions.all) callback(null, records);
    else callback(null, first.address, first.family);
  };
};
