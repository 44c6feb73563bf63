import type { ExplainedReview } from '@agent-trust/client';

const reasonWords: Readonly<Record<NonNullable<ExplainedReview['reason']>, string>> = {
  weight_below_minimum: 'No: too light by now',
  older_than_recent: 'No: older than the recent ones that the score follows',
  beyond_three_of_root: 'No: beyond the three newest of its root',
  voided: 'No: voided by the operator',
};

/** Whether a review counts, and why not. */
export function countedText({ counted, reason }: Pick<ExplainedReview, 'counted' | 'reason'>): string {
  return counted || reason === null ? 'Yes' : reasonWords[reason];
}
