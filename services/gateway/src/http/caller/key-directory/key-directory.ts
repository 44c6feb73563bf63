import { DomainError } from '@agent-trust/contracts';
import type { SafeFetch } from '@agent-trust/safe-fetch';
import { type DirectoryAnswer, fetchDirectory } from './fetch-directory.ts';
import { keyDirectoryLimits } from './limits.ts';

export type KeyDirectory = {
  /**
   * The keys that a domain publishes, at most `keptMs` old.
   *
   * @throws DomainError overloaded when too many domains are being asked.
   */
  keysOf(domain: string): Promise<DirectoryAnswer>;
};

type Kept = { answer: Promise<DirectoryAnswer>; until: number };

type KeyDirectoryOptions = {
  safeFetch: SafeFetch;
  /** Other addresses than `https://` and the domain, by domain: for tests and private networks. */
  bases: ReadonlyMap<string, string>;
  now?: () => number;
};

/** Key directories of domains, each asked once however many signatures wait for it, and remembered for a while, failures included. */
export function createKeyDirectory({ safeFetch, bases, now = Date.now }: KeyDirectoryOptions): KeyDirectory {
  const kept = new Map<string, Kept>();
  let fetches = 0;
  const keep = (domain: string, entry: Kept): void => {
    // Deleted first, so that the order of the map is the order in which domains were asked.
    kept.delete(domain);
    kept.set(domain, entry);
    const [oldest] = kept.keys();
    if (kept.size > keyDirectoryLimits.domainsMax && oldest !== undefined) kept.delete(oldest);
  };

  return {
    keysOf: async (domain) => {
      const known = kept.get(domain);
      if (known !== undefined && known.until > now()) return known.answer;
      if (fetches >= keyDirectoryLimits.fetchesMax) {
        throw new DomainError('overloaded', 'too many key directories are being asked; try again later');
      }
      fetches += 1;
      const base = bases.get(domain) ?? `https://${domain}`;
      const entry: Kept = { answer: fetchDirectory(safeFetch, base), until: Number.POSITIVE_INFINITY };
      keep(domain, entry);
      try {
        const answer = await entry.answer;
        // Counted from the answer, not from the question.
        entry.until = now() + ('keys' in answer ? keyDirectoryLimits.keptMs : keyDirectoryLimits.faultKeptMs);
        return answer;
      } catch (error) {
        if (kept.get(domain) === entry) kept.delete(domain);
        throw error;
      } finally {
        fetches -= 1;
      }
    },
  };
}
