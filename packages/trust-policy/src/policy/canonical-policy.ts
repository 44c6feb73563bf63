import type { TrustPolicy } from './trust-policy.ts';

/**
 * A policy as RFC 8785 text (members in order, numbers as ECMAScript prints them): equal policies have equal texts, so its hash
 * names a policy by content. The hash itself is the caller's to make.
 */
export function canonicalPolicy(policy: TrustPolicy): string {
  return canonical(policy);
}

const canonical = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
};
