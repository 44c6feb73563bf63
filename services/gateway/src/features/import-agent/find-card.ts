import { DomainError, faultAt } from '@agent-trust/contracts';
import {
  OutboundError,
  parseTargetUrl,
  type CheckTarget,
  isOwnLimit,
  readBytes,
  type SafeFetch,
} from '@agent-trust/safe-fetch';
import { importLimits } from './limits.ts';
import { type Card, readCard } from './read-card.ts';

/** The addresses at which a domain is asked for its card, without a path. */
type AskedDomain = {
  /** In lower case and punycode, without the root's dot. */
  host: string;
  https: string;
  http: string;
  /** What the caller wrote, null for a bare domain. */
  scheme: 'https' | 'http' | null;
};

/**
 * Reads the domain_url of an import: a domain or address with or without a port, or an http or https URL, whose path is ignored, since a
 * card is at a well-known place of its domain (RFC 8615). @throws DomainError invalid_domain
 */
export function readAskedDomain(text: string): AskedDomain {
  const asked = text.trim();
  if (/\p{Cf}/u.test(asked)) throw invalidDomain('must not contain characters that cannot be seen');
  const scheme = /^(https?):\/\//iu.exec(asked)?.[1]?.toLowerCase() as 'http' | 'https' | undefined;
  // `example.com:8443` looks like a scheme, but for the digits after the colon.
  if (scheme === undefined && /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/iu.test(asked)) {
    throw invalidDomain('must be a domain, or an http or https URL');
  }
  try {
    const { url, host } = parseTargetUrl(scheme === undefined ? `https://${asked}` : asked);
    return { host, https: `https://${url.host}`, http: `http://${url.host}`, scheme: scheme ?? null };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw invalidDomain(
      error.reason === 'userinfo' ? 'must not contain user information' : 'must be a domain, or an http or https URL',
    );
  }
}

function invalidDomain(message: string): DomainError {
  return faultAt('invalid_domain', ['body', 'domain_url'], message);
}

/** A2A 0.3 and later; A2A 0.2. */
const wellKnownPaths = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const;

type FoundCard = { card: Card; sourceUrl: string };
type CardFinder = { safeFetch: SafeFetch; checkTarget: CheckTarget };

/**
 * Fetches the agent card of a domain. Public targets are asked over https only, since http can be changed on the way; private targets that
 * the operator has allowed may use http. @throws DomainError invalid_domain, domain_not_allowed, agent_card_invalid, domain_unreachable
 */
export async function findCard(finder: CardFinder, domain: AskedDomain, signal: AbortSignal): Promise<FoundCard> {
  const origins = originsOf(domain, await reach(finder.checkTarget, domain));
  let unreachable: OutboundError | undefined;
  for (const origin of origins) {
    try {
      return await cardAt(finder.safeFetch, origin, signal);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (error.kind === 'not_allowed') throw notAllowed();
      unreachable = error;
    }
  }
  throw cannotReach(unreachable);
}

const originsOf = ({ https, http, scheme }: AskedDomain, reached: 'public' | 'opened'): string[] => {
  if (reached === 'public' || scheme === 'https') return [https];
  return scheme === 'http' ? [http] : [https, http];
};

const reach = async (checkTarget: CheckTarget, { host, https }: AskedDomain): Promise<'public' | 'opened'> => {
  // A name of one label is no domain, but may be a host of the operator's own network.
  const isDomain = host.includes('.') || host.includes(':');
  try {
    const reached = await checkTarget(https);
    if (isDomain || reached === 'opened') return reached;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.kind === 'not_allowed') throw notAllowed();
    if (isDomain) throw cannotReach(error);
  }
  throw invalidDomain('must be a domain name');
};

/** @throws OutboundError if the domain is unreachable; DomainError agent_card_invalid. */
const cardAt = async (safeFetch: SafeFetch, origin: string, signal: AbortSignal): Promise<FoundCard> => {
  const faults: string[] = [];
  for (const path of wellKnownPaths) {
    const sourceUrl = `${origin}${path}`;
    const card = await fetchCard(safeFetch, sourceUrl, signal);
    if (typeof card !== 'string') return { card, sourceUrl };
    faults.push(`${path}: ${card}`);
  }
  throw faultAt('agent_card_invalid', ['body', 'domain_url'], `the domain serves no agent card (${faults.join('; ')})`);
};

const fetchCard = async (safeFetch: SafeFetch, url: string, signal: AbortSignal): Promise<Card | string> => {
  try {
    const { status, body } = await safeFetch(url, {
      headers: { accept: 'application/json, application/a2a+json', 'accept-encoding': 'identity' },
      responseBodyBytesMax: importLimits.cardBytesMax,
      timeouts: { totalMs: importLimits.fetchTimeoutMs },
      signal,
    });
    if (status === 200) return readCard(await readBytes(body));
    body.cancel();
    return status >= 300 && status < 400 ? `status ${status}; redirects are not followed` : `status ${status}`;
  } catch (error) {
    if (error instanceof OutboundError && error.kind === 'too_large')
      return `it is larger than ${importLimits.cardBytesMax} bytes`;
    throw error;
  }
};

/** Does not reveal the address of the name, which may be private. */
const notAllowed = (): DomainError =>
  faultAt(
    'domain_not_allowed',
    ['body', 'domain_url'],
    'must be a domain with public addresses, and a port that is not reserved for something else',
  );

const words: Readonly<Record<string, string>> = {
  name_not_found: 'there is no such domain',
  no_address: 'the domain has no address',
  tls: 'the domain offers no TLS certificate that can be trusted',
};

const cannotReach = (cause: OutboundError | undefined): DomainError => {
  if (cause !== undefined && isOwnLimit(cause)) {
    return new DomainError(
      'overloaded',
      'as many domains are being asked as this gateway takes; try again in a moment',
    );
  }
  return new DomainError(
    'domain_unreachable',
    words[cause?.reason ?? ''] ??
      (cause?.kind === 'timeout' ? 'the domain did not answer in time' : 'the domain could not be reached'),
    { cause },
  );
};
