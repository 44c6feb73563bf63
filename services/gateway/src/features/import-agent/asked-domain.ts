import { type DomainError, faultAt } from '@agent-trust/contracts';
import { OutboundError, parseTargetUrl } from '@agent-trust/safe-fetch';

/** Whose card is wanted: the addresses at which the domain is asked, without a path. */
export type AskedDomain = {
  /** In lower case and punycode, without the root's dot. */
  host: string;
  https: string;
  http: string;
  /** What the caller wrote, null for a bare domain. */
  scheme: 'https' | 'http' | null;
};

/**
 * Reads the domain_url of an import: a bare domain or address with or without a port, or an http or https URL, whose path is left aside,
 * since a card stands at a well-known place of its domain (RFC 8615).
 *
 * @throws DomainError invalid_domain
 */
export function readAskedDomain(text: string): AskedDomain {
  const asked = text.trim();
  if (/\p{Cf}/u.test(asked)) throw invalidDomain('must not contain characters that cannot be seen');
  const scheme = /^(https?):\/\//iu.exec(asked)?.[1]?.toLowerCase() as 'http' | 'https' | undefined;
  // `example.com:8443` reads like a scheme, but for the digits behind the colon.
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

export function invalidDomain(message: string): DomainError {
  return faultAt('invalid_domain', ['body', 'domain_url'], message);
}
