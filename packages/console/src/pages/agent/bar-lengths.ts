import type { TrustContribution } from '@agent-trust/client';

/** How long each part of a score is in a bar as long as the score: what is taken away, as by the record of the organisation, is taken from the start. */
export function barLengths(contributions: readonly Pick<TrustContribution, 'kind' | 'points'>[]): number[] {
  const taken = contributions.reduce((sum, { points }) => sum + Math.min(0, points), 0);
  return contributions.map(({ kind, points }) => Math.max(0, kind === 'prior' ? points + taken : points));
}
