import { checkAddresses } from './check-addresses.ts';
import { outboundLimits } from './limits.ts';
import { lookupsAtOnce } from './lookup-threads.ts';
import { parseOutboundAllow } from './outbound-allow.ts';
import { createResolver, type ResolveName } from './resolve-name.ts';
import { parseTargetUrl } from './target-url.ts';
import { toOutboundError } from './outbound-error.ts';

/**
 * Checks the address of a URL without contacting it: `public`, or `opened` if it is private and on the allow list. A connection is checked again,
 * because the answer for a name may change. Throws OutboundError.
 */
export type CheckTarget = (url: string) => Promise<'public' | 'opened'>;

export type CheckTargetOptions = {
  allow: string;
  resolve?: ResolveName;
  lookupMs?: number;
};

export function createCheckTarget(options: CheckTargetOptions): CheckTarget {
  const allow = parseOutboundAllow(options.allow);
  const { resolve } = createResolver({
    resolveAll: options.resolve,
    timeoutMs: options.lookupMs ?? outboundLimits.timeouts.lookupMs,
    // A quarter of the outbound client's limit, because both share the lookup threads.
    atOnceMax: Math.ceil(lookupsAtOnce(process.env['UV_THREADPOOL_SIZE']) / 4),
  });
  const addressesOf = (host: string): Promise<readonly string[]> =>
    resolve(host).catch((error: unknown) => {
      throw toOutboundError(error, 'request');
    });
  return async (text) => {
    const { host, port, family } = parseTargetUrl(text);
    const addresses = family === 0 ? await addressesOf(host) : [host];
    return checkAddresses(allow, { host, port }, addresses);
  };
}
