import type { AgentProfile } from '@agent-trust/client';
import { actionWords } from '../../ui/score-words.ts';

export type Difference = { what: string; before: string; now: string };

const shown: readonly (readonly [what: string, of: (profile: AgentProfile) => string | number | null])[] = [
  ['Score', ({ trust_score }) => trust_score],
  ['Verdict', ({ recommended_action }) => actionWords[recommended_action]],
  ['Verified', ({ verified }) => (verified ? 'yes' : 'no')],
  ['Organisation', ({ org_name }) => org_name],
  ['Domain', ({ org_domain, domain_verified }) => org_domain && `${org_domain}${domain_verified ? ' (proved)' : ''}`],
  ['Calls answered', ({ transaction_count }) => transaction_count],
  ['Success rate', ({ success_rate }) => success_rate && `${Math.round(success_rate * 100)} %`],
  ['Specialty', ({ specialty }) => specialty],
  ['Capabilities', ({ capabilities }) => capabilities.map(({ name }) => name).join(', ')],
  ['Flags', ({ flags }) => flags.join(', ')],
  ['Trust policy', ({ trust_policy }) => trust_policy],
];

/** The score at both moments, and every other field that differs. */
export function differences(then: AgentProfile, now: AgentProfile): Difference[] {
  const text = (value: string | number | null): string => (value === null || value === '' ? '–' : String(value));
  return shown
    .map(([what, of]) => ({ what, before: text(of(then)), now: text(of(now)) }))
    .filter((row) => row.what === 'Score' || row.before !== row.now);
}
