import { DomainError, normaliseDomain } from '@agent-trust/contracts';
import { createBoundedMap } from '@agent-trust/limits';
import { type SafeFetch, OutboundError, readBytes } from '@agent-trust/safe-fetch';
import { setting } from '@agent-trust/service-kit';
import { type DirectoryKeys, keyDirectoryLimits, readDirectory } from './directory-keys.ts';

export type KeyDirectory = {
  /** The keys that a domain publishes, at most `keptMs` old. @throws DomainError overloaded */
  keysOf(domain: string): Promise<DirectoryAnswer>;
  /** Whether the directory is not at the domain itself: then its keys say nothing of who controls the domain. */
  isElsewhere(domain: string): boolean;
};

type KeyDirectoryOptions = {
  safeFetch: SafeFetch;
  /** Other addresses than `https://` and the domain, by domain: for tests and private networks. */
  bases: ReadonlyMap<string, string>;
  now?: () => number;
};

/** Key directories of domains. Concurrent lookups of a domain share one request; answers are cached, failures included. */
export function createKeyDirectory({ safeFetch, bases, now = Date.now }: KeyDirectoryOptions): KeyDirectory {
  // Entries are read by `peek`, so that the domain that was asked longest ago is evicted first.
  const kept = createBoundedMap<string, { answer: Promise<DirectoryAnswer>; until: number }>({
    countMax: keyDirectoryLimits.domainsMax,
  });
  let fetches = 0;
  return {
    isElsewhere: (domain) => bases.has(domain),
    keysOf: async (domain) => {
      const known = kept.peek(domain);
      if (known !== undefined && known.until > now()) return known.answer;
      if (fetches >= keyDirectoryLimits.fetchesMax) {
        throw new DomainError('overloaded', 'too many key directories are being asked; try again later');
      }
      fetches += 1;
      const base = bases.get(domain) ?? `https://${domain}`;
      const entry = { answer: fetchDirectory(safeFetch, base), until: Number.POSITIVE_INFINITY };
      kept.set(domain, entry);
      try {
        const answer = await entry.answer;
        // Counted from the answer, not from the request.
        entry.until = now() + ('keys' in answer ? keyDirectoryLimits.keptMs : keyDirectoryLimits.faultKeptMs);
        return answer;
      } catch (error) {
        if (kept.peek(domain) === entry) kept.delete(domain);
        throw error;
      } finally {
        fetches -= 1;
      }
    },
  };
}

/** The keys of a domain, or why there are none. `detail` is for the log. */
type DirectoryAnswer = DirectoryKeys | { fault: DirectoryFault; detail: string };
export type DirectoryFault = 'directory_unreachable' | 'directory_refused' | 'directory_malformed';

/** draft-meunier-http-message-signatures-directory §5. */
const wellKnownPath = '/.well-known/http-message-signatures-directory';

/** Requests one directory, through the safe outbound client. A failed request is an answer, not a rejection. */
async function fetchDirectory(safeFetch: SafeFetch, baseUrl: string): Promise<DirectoryAnswer> {
  try {
    const response = await safeFetch(`${baseUrl}${wellKnownPath}`, {
      headers: {
        accept: 'application/http-message-signatures-directory+json, application/jwk-set+json, application/json',
      },
      responseBodyBytesMax: keyDirectoryLimits.bodyBytesMax,
      timeouts: { totalMs: keyDirectoryLimits.fetchTimeoutMs },
    });
    if (response.status !== 200) {
      response.body.cancel();
      return { fault: 'directory_refused', detail: `status ${response.status}` };
    }
    const directory = readDirectory(Buffer.from(await readBytes(response.body)).toString('utf8'));
    return directory === null ? { fault: 'directory_malformed', detail: 'not a JWK set' } : directory;
  } catch (error) {
    if (error instanceof OutboundError)
      return { fault: 'directory_unreachable', detail: `${error.kind} ${error.reason}` };
    throw error;
  }
}

/** KEY_DIRECTORY_BASE: `domain=http://host:port` items, separated by commas. The value maps each domain, in its compared form, to its base. */
export function directoryBases() {
  return setting('domain=URL items separated by commas, such as acme.test=http://127.0.0.1:9000', readBases);
}

const readBases = (text: string): ReadonlyMap<string, string> | undefined => {
  const bases = new Map<string, string>();
  for (const item of text === '' ? [] : text.split(',')) {
    const [, name = '', base = ''] = /^\s*([^=\s]+)\s*=\s*(https?:\/\/\S+?)\/*\s*$/u.exec(item) ?? [];
    const domain = normaliseDomain(name);
    if (domain === null || !isBase(base)) return undefined;
    bases.set(domain, base);
  }
  return bases;
};

/** The well-known path is appended to it, so it must end where a path can follow. */
const isBase = (base: string): boolean => {
  const url = URL.parse(base);
  return url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
};
