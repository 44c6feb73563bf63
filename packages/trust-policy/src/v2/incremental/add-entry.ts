import { type AppliedReview, carryReview } from '../../v1/incremental/apply-review.ts';
import type { PairEvidence } from '../../v1/incremental/evidence.ts';
import { mainRoot, reviewValue, rootShares } from '../../v1/review.ts';
import type { Entry } from '../entry.ts';
import { markOf } from '../mark.ts';
import type { RulesV2 } from '../rules.ts';
import type { EvidenceView } from '../view.ts';
import type { EvidenceV2 } from './evidence.ts';
import { viewOf } from './evidence-view.ts';
import { marksFor, withMark } from './marks.ts';
import { newestOf, withNewest } from './newest.ts';

export type EntryInContext = {
  evidence: EvidenceV2;
  /** The stored pair of this evidence and this reviewer, if any. */
  pair: PairEvidence | null;
  /** All other pairs of this evidence whose `expiresAt` is not after the entry's effective time. */
  expired: readonly PairEvidence[];
  entry: Entry;
};

export type AddedEntry = Omit<AppliedReview, 'evidence' | 'score' | 'confidence'> & {
  evidence: EvidenceV2;
  /** The new evidence as the formula sees it; for the score or the record, whose cost is a few passes over the roots. */
  view: EvidenceView;
};

/**
 * Adds one review to one piece of evidence. The arguments are not changed. Work and memory depend on the roots and on the reviews of a pair that can
 * count (21 in v2), not on the number of reviews. A root whose mark changes is among `changedRoots`.
 */
export function addEntry({ evidence, pair, expired, entry }: EntryInContext, rules: RulesV2): AddedEntry {
  const carried = carryReview({ evidence: evidence.sums, pair, expired, review: entry }, rules);
  const { evidence: sums, sums: known, rootsMoved, ...changes } = carried;
  const moved = rootsMoved ? marksFor(sums.roots, evidence) : evidence;
  const isGood = reviewValue(entry, rules) >= rules.badBelow;
  const marks =
    entry.own === null
      ? moved.marks
      : withMark(moved.marks, sums.roots, entry.own.organisation, markOf(entry.own.isEstablished, isGood));
  const isAligned = !rootsMoved && sums.epoch === evidence.sums.epoch;
  const newest = isAligned
    ? withNewest(evidence.newest, sums, mainRoot(rootShares(entry.roots)), rules)
    : newestOf(sums, rules);
  const next: EvidenceV2 = { sums, marks, formerMarks: moved.formerMarks, newest };
  // A root that was removed is still in the sums that were computed.
  const isCurrent = known.weights.length === sums.roots.length;
  return { ...changes, evidence: next, view: viewOf(next, rules, isCurrent ? known : null) };
}
