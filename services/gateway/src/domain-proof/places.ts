import { faultAt } from '@agent-trust/contracts';
import { getDomain } from 'tldts';

const options = { allowPrivateDomains: true, validateHostname: false };

/**
 * The domain that is registered for a name, the name itself or one above it (Public Suffix List, with its private part: `example.co.uk`,
 * `someone.github.io`). Whoever controls it controls all names below.
 *
 * @throws DomainError invalid_domain for a name under which anybody may register, such as `co.uk` or `github.io`
 */
export function registrableDomain(domain: string, loc: (string | number)[]): string {
  const registrable = getDomain(domain, options);
  if (registrable === null) {
    throw faultAt('invalid_domain', loc, 'must be a domain of somebody, not one under which anybody may register');
  }
  return registrable;
}

/** The names at which a token counts for a domain: its own, and its registrable domain. */
export function namesOf(domain: string): string[] {
  return [...new Set([domain, getDomain(domain, options) ?? domain])];
}

export function recordName(domain: string): string {
  return `_agent-trust-registry.${domain}`;
}

export function pageUrl(domain: string, port: number): string {
  return `https://${domain}${port === 443 ? '' : `:${port}`}/.well-known/agent-trust-registry.txt`;
}
