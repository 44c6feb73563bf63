import type { ExplainedReview, ExplainedTrust, TrustChange } from '@agent-trust/client';
import { answersText, timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';
import { right } from './table.ts';

const bases: Record<ExplainedTrust['basis'], string> = {
  all: 'all reviews',
  recent: 'the recent reviews, which are clearly worse than all of them',
};
const reasons: Record<NonNullable<ExplainedReview['reason']>, string> = {
  weight_below_minimum: 'too light by now',
  older_than_recent: 'not among the recent',
  beyond_three_of_root: 'not among the newest of its root',
  voided: 'voided by the operator',
};

/** An unknown value of a newer registry is shown unchanged. */
const wordsFor = (words: Record<string, string>, given: string): string =>
  Object.hasOwn(words, given) ? (words[given] ?? given) : given;
const percent = (part: number): string => `${Math.round(100 * part)} %`;

/** A score with its parts, then the reviews of the page. */
export function showTrust(trust: ExplainedTrust, out: Output): void {
  const blocked = trust.flags.length === 0 ? '' : `, ${trust.flags.join(', ')}: shown as 0`;
  const score = safeLine(`${trust.trust_score}/100${blocked}`);
  out.line(`${out.paint('bold', safeLine(trust.agent_id))}  trust ${score}`);
  out.fields([
    ['unrounded', String(trust.unrounded)],
    ['policy', trust.trust_policy],
    ['follows', wordsFor(bases, trust.basis)],
    ['answers', answersText(trust.liveness)],
    ['as of', `${timeText(trust.as_of.time)}, log position ${trust.as_of.position}`],
  ]);
  out.line();
  out.table(
    ['PART', right('WEIGHT'), right('AFTER CAP'), right('SAYS'), right('POINTS')],
    trust.contributions.map(({ kind, root, weight, capped_weight: capped, mean, points }) => [
      kind === 'prior' ? 'prior' : rootText(root ?? ''),
      weight.toFixed(3),
      capped.toFixed(3),
      percent(mean),
      points.toFixed(3),
    ]),
  );
  if (trust.reviews.length === 0) return;
  out.line();
  out.table(
    ['REVIEWED', 'BY', right('SAYS'), right('WEIGHT'), 'ROOTS', 'COUNTS', 'TRANSACTION'],
    trust.reviews.map((review) => [
      timeText(review.reviewed_at),
      review.reviewer_agent_id,
      percent(review.value),
      review.weight.toFixed(3),
      rootsText(review.root_weights),
      review.counted ? 'yes' : review.reason === null ? 'no' : wordsFor(reasons, review.reason),
      review.transaction_id,
    ]),
  );
}

export function showTrustHistory(history: readonly TrustChange[], out: Output): void {
  if (history.length === 0) return out.note('No changes on this page.');
  return out.table(
    ['AT', right('FROM'), right('TO'), 'POLICY', 'CAUSE', 'TRANSACTION', right('POSITION')],
    history.map((change) => [
      timeText(change.at),
      change.previous_score === null ? '' : String(change.previous_score),
      String(change.trust_score),
      change.trust_policy,
      change.cause.type,
      change.cause.transaction_id ?? '',
      change.position,
    ]),
  );
}

const rootsText = (roots: Readonly<Record<string, number>>): string => {
  const shares = Object.entries(roots);
  return shares.length === 1
    ? rootText(shares[0]?.[0] ?? '')
    : shares.map(([root, share]) => `${rootText(root)} ${percent(share)}`).join(', ');
};

/** The policy's word for the root of all reviewers without a domain says little by itself. */
const rootText = (root: string): string => (root === 'none' ? 'none (reviewers without a domain)' : root);
