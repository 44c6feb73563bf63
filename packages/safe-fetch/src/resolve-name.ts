import { lookup } from 'node:dns/promises';
import { outboundLimits } from './limits.ts';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

/**
 * Resolves names as the operating system does (`/etc/hosts` included), a bounded number at once. Nothing is cached here:
 * every new connection asks again and is checked again.
 */
export const createResolver = (resolveAll: ResolveName = systemResolve): ResolveName => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (host) => {
    if (running >= outboundLimits.lookupsAtOnceMax) {
      if (waiting.length >= outboundLimits.lookupsWaitingMax)
        throw new OutboundError('unreachable', 'too_many_lookups');
      // Whoever finishes hands its place on, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await resolveAll(host);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

const systemResolve: ResolveName = async (host) => {
  const records = await lookup(host, { all: true, order: 'verbatim' });
  return records.map((record) => record.address);
};
