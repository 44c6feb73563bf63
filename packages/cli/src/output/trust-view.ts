import type { ExplainedReview, ExplainedTrust, TrustChange } from '@agent-trust/client';
import { timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';

/** How scores and their histories are shown to people. */

const bases: Record<ExplainedTrust['basis'], string> = {
  all: 'all reviews',
  recent: 'the recent reviews, which are clearly worse than all of them',
};
const reasons: Record<NonNullable<ExplainedReview['reason']>, string> = {
  weight_below_minimum: 'too light by now',
  older_than_recent: 'not among the recent',
  beyond_three_of_root: 'not among the newest of its root',
};

/** What a newer registry may say that this program does not know is shown as it is. */
const wordsFor = (words: Record<string, string>, given: string): string =>
  Object.hasOwn(words, given) ? (words[given] ?? given) : given;
const percent = (part: number): string => `${Math.round(100 * part)} %`;

/** A score with what it is made of, then the reviews of the page. */
export function showTrust(trust: ExplainedTrust, out: Output): void {
  out.line(`${out.paint('bold', safeLine(trust.agent_id))}  trust ${safeLine(String(trust.trust_score))}/100`);
  out.fields([
    ['unrounded', String(trust.unrounded)],
    ['policy', trust.trust_policy],
    ['follows', wordsFor(bases, trust.basis)],
    ['as of', `${timeText(trust.as_of.time)}, log position ${trust.as_of.position}`],
  ]);
  out.line();
  out.table(
    [
      { title: 'PART' },
      { title: 'WEIGHT', right: true },
      { title: 'AFTER CAP', right: true },
      { title: 'SAYS', right: true },
      { title: 'POINTS', right: true },
    ],
    trust.contributions.map(({ kind, root, weight, capped_weight: capped, mean, points }) => [
      { text: kind === 'prior' ? '(start)' : (root ?? '') },
      { text: weight.toFixed(3) },
      { text: capped.toFixed(3) },
      { text: percent(mean) },
      { text: points.toFixed(3) },
    ]),
  );
  if (trust.reviews.length === 0) return;
  out.line();
  out.table(
    [
      { title: 'REVIEWED' },
      { title: 'BY' },
      { title: 'SAYS', right: true },
      { title: 'WEIGHT', right: true },
      { title: 'ROOTS' },
      { title: 'COUNTS' },
      { title: 'TRANSACTION' },
    ],
    trust.reviews.map((review) => [
      { text: timeText(review.reviewed_at) },
      { text: review.reviewer_agent_id },
      { text: percent(review.value) },
      { text: review.weight.toFixed(3) },
      { text: rootsText(review.root_weights) },
      { text: review.counted ? 'yes' : review.reason === null ? 'no' : wordsFor(reasons, review.reason) },
      { text: review.transaction_id },
    ]),
  );
}

/** Changes of a score, one a line. */
export function showTrustHistory(history: readonly TrustChange[], out: Output): void {
  return out.table(
    [
      { title: 'AT' },
      { title: 'FROM', right: true },
      { title: 'TO', right: true },
      { title: 'POLICY' },
      { title: 'CAUSE' },
      { title: 'TRANSACTION' },
      { title: 'POSITION', right: true },
    ],
    history.map((change) => [
      { text: timeText(change.at) },
      { text: change.previous_score === null ? '' : String(change.previous_score) },
      { text: String(change.trust_score) },
      { text: change.trust_policy },
      { text: change.cause.type },
      { text: change.cause.transaction_id ?? '' },
      { text: change.position },
    ]),
  );
}

const rootsText = (roots: Readonly<Record<string, number>>): string => {
  const shares = Object.entries(roots);
  return shares.length === 1
    ? (shares[0]?.[0] ?? '')
    : shares.map(([root, share]) => `${root} ${percent(share)}`).join(', ');
};
