import { Resolver } from 'node:dns/promises';
import { domainProofLimits } from './limits.ts';

export type NameServers = {
  /** The TXT records of a name, each as one text; null if the name servers say that there are none. Rejects if they do not say. */
  texts(name: string): Promise<string[] | null>;
  /** Its addresses, in the form of the outbound client; undefined if that is to ask the operating system. */
  addresses: ((name: string) => Promise<string[]>) | undefined;
};

/** The codes by which a name server says that there is nothing. All others mean that it is not known. */
const isNothing = (error: unknown): boolean =>
  ['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '');

/** @param servers addresses, with or without a port; none for those of the operating system */
export function createNameServers(servers: readonly string[]): NameServers {
  const ask = async <Answer>(question: (resolver: Resolver) => Promise<Answer>): Promise<Answer> => {
    // One each, since only a whole resolver can be cancelled.
    const resolver = new Resolver({
      timeout: domainProofLimits.dnsAttemptMs,
      tries: domainProofLimits.dnsAttemptsMax,
    });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), domainProofLimits.placeTimeoutMs);
    try {
      return await question(resolver);
    } finally {
      clearTimeout(timer);
    }
  };
  const orNothing = async <Answer>(asked: Promise<Answer[]>): Promise<Answer[] | null> =>
    asked.catch((error: unknown) => {
      if (isNothing(error)) return null;
      throw error;
    });
  return {
    texts: async (name) => {
      const records = await orNothing(ask((resolver) => resolver.resolveTxt(name)));
      return records?.map((chunks) => chunks.join('')) ?? null;
    },
    addresses:
      servers.length === 0
        ? undefined
        : async (name) => {
            const found = await Promise.all([
              orNothing(ask((resolver) => resolver.resolve4(name))),
              orNothing(ask((resolver) => resolver.resolve6(name))),
            ]);
            return found.flatMap((addresses) => addresses ?? []).slice(0, domainProofLimits.addressesMax);
          },
  };
}
