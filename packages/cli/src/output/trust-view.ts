import type { ExplainedTrust, RecordReview, TrustChange, TrustContribution } from '@agent-trust/client';
import { answersText, confidenceText, timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';
import { right } from './table.ts';

const bases: Record<ExplainedTrust['basis'], string> = {
  all: 'all reviews',
  recent: 'the recent reviews, which are clearly worse than all of them',
};
const reasons: Record<NonNullable<RecordReview['reason']>, string> = {
  weight_below_minimum: 'too light by now',
  older_than_recent: 'not among the recent',
  beyond_three_of_root: 'not among the newest of its root',
  voided: 'voided by the operator',
  root_left_out: 'its root is left out',
};

/** An unknown value of a newer registry is shown unchanged. */
const wordsFor = (words: Record<string, string>, given: string): string =>
  Object.hasOwn(words, given) ? (words[given] ?? given) : given;
export const percent = (part: number): string => `${Math.round(100 * part)} %`;

/** Which reviews a score or a record comes from. */
export function basisText(basis: string): string {
  return wordsFor(bases, basis);
}

/** Why a review has no part. */
export function reasonText(reason: string | null): string {
  return reason === null ? 'no' : wordsFor(reasons, reason);
}

/** What is explained. */
type Of = 'score' | 'record';

/** The parts of a score or a record, as a table. */
export const partHeads = ['PART', right('WEIGHT'), right('AFTER CAP'), right('SAYS'), right('POINTS')];

export function contributionRows(contributions: readonly TrustContribution[], of: Of = 'score'): string[][] {
  return contributions.map((part) => {
    const isWeighed = part.kind === 'prior' || part.kind === 'root';
    const said = isWeighed ? [part.weight.toFixed(3), part.capped_weight.toFixed(3), percent(part.mean)] : ['', '', ''];
    return [partText(part, of), ...said, part.points.toFixed(3)];
  });
}

/** A score with its parts, then the reviews of the page. */
export function showTrust(trust: ExplainedTrust, out: Output): void {
  const blocked = trust.flags.length === 0 ? '' : `, ${trust.flags.join(', ')}: shown as 0`;
  const score = safeLine(`${trust.trust_score}/100${blocked}`);
  out.line(`${out.paint('bold', safeLine(trust.agent_id))}  trust ${score}`);
  out.fields([
    ['unrounded', trust.unrounded.toFixed(3)],
    ['policy', trust.trust_policy],
    ['follows', basisText(trust.basis)],
    ['likely', confidenceText(trust.confidence)],
    ['answers', answersText(trust.liveness)],
    ['as of', `${timeText(trust.as_of.time)}, log position ${trust.as_of.position}`],
  ]);
  out.line();
  out.table(partHeads, contributionRows(trust.contributions));
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
      review.counted ? 'yes' : reasonText(review.reason),
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

export const rootsText = (roots: Readonly<Record<string, number>>, of: Of = 'score'): string => {
  const shares = Object.entries(roots);
  return shares.length === 1
    ? rootText(shares[0]?.[0] ?? '', of)
    : shares.map(([root, share]) => `${rootText(root, of)} ${percent(share)}`).join(', ');
};

const partText = ({ kind, root, organisation = '', established }: TrustContribution, of: Of): string => {
  if (kind === 'prior') return 'prior';
  if (kind === 'record') return `record of ${organisation}`;
  if (kind === 'third_voice') return `third voice: ${root ?? ''}`;
  return `${rootText(root ?? '', of)}${established === true ? ', established' : ''}`;
};

/** The policy's word for the root of all reviewers that speak for nobody says little by itself. In a record, a domain is nobody's voice. */
const nobody: Record<Of, string> = {
  score: 'none (no organisation or domain)',
  record: 'none (no organisation)',
};
const rootText = (root: string, of: Of): string => (root === 'none' ? nobody[of] : root);
