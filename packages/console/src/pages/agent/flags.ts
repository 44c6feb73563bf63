import type { AgentProfile } from '@agent-trust/client';

/** What a flag of an agent means. */
export const flagWords: Readonly<Record<AgentProfile['flags'][number], string>> = {
  unregistered: 'Not registered',
  unverified: 'Nobody vouches for it',
  no_transactions: 'Has not answered any call yet',
  no_endpoint: 'Cannot be called: it has no endpoint',
  low_trust: 'Its trust is low',
  domain_proof_lapsed: 'The proof of its domain has lapsed',
  sandbox: 'Lives in a sandbox',
  suspended: 'Suspended by the operator',
  retired: 'Retired for good',
};

/** What `verified` rests on, in a sentence. */
export function verifiedBecause(
  profile: Pick<AgentProfile, 'verified' | 'org_name' | 'org_domain' | 'domain_verified'>,
): string {
  const { verified, org_name: name, org_domain: domain, domain_verified: isProved } = profile;
  if (!verified) return 'Nobody vouches for this agent: it belongs to no organisation that the registry knows.';
  if (name === null) return "The registry's operator vouches for it.";
  if (domain === null) return `The organisation ${name} vouches for it, and names no domain.`;
  return isProved
    ? `The organisation ${name} vouches for it, and has proved that ${domain} is its own.`
    : `The organisation ${name} vouches for it, and is taken at its word that ${domain} is its own.`;
}
