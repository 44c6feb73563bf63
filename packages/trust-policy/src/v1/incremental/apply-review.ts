import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { type Confidence, confidenceOfScore } from '../../confidence.ts';
import { average, type Verdict, verdictOf } from '../formula.ts';
import { type Review, counts, mainRoot, reviewValue, rootShares } from '../review.ts';
import { type Rules, rulesOf } from '../rules.ts';
import {
  type AgentEvidence,
  type HeldReview,
  mapColumns,
  type PairEvidence,
  type PairReview,
  type RootColumns,
} from './evidence.ts';
import { admitRecent, RootTable } from './root-table.ts';
import { countsUntil, epochOf, scaleOf, unitOf, weightAt } from './scale.ts';
import { type EvidenceSums, sumsAt } from './score-of.ts';

export type ReviewInContext = {
  evidence: AgentEvidence;
  /** The stored pair of this agent and this reviewer, if any. */
  pair: PairEvidence | null;
  /** All other pairs of this agent whose `expiresAt` is not after `effectiveTime(evidence, review)`. */
  expired: readonly PairEvidence[];
  review: Review;
  policy: TrustPolicy;
};

export type AppliedReview = {
  evidence: AgentEvidence;
  changedPairs: PairEvidence[];
  /** Reviewers whose pairs are to be deleted: none of their reviews counts or is recent. */
  removedPairs: string[];
  /** In alphabetical order, the roots that may differ between the evidence before and after, new and removed ones too; null if all may. */
  changedRoots: readonly string[] | null;
  score: Verdict;
  confidence: Confidence;
};

/** The time of a review, but not before the agent's previous one, because the log's order is the order of events. */
export function effectiveTime(evidence: AgentEvidence, review: Pick<Review, 'reviewedAt'>): number {
  return evidence.newestAt === null ? review.reviewedAt : Math.max(evidence.newestAt, review.reviewedAt);
}

/**
 * Adds one review to an agent's evidence and scores it; equal to `scoreDirect` over the whole history, if all reviews are applied under one policy.
 * The arguments are not changed. Work and memory depend on the agent's roots and on the 21 (v1) reviews of a pair that can count, not on the number of
 * reviews; each review expires once.
 */
export function applyReview({ policy, ...given }: ReviewInContext): AppliedReview {
  const rules = rulesOf(policy);
  const { sums, rootsMoved: _, ...carried } = carryReview(given, rules);
  const { prior } = given.evidence;
  const all = average(prior, sums.weights, sums.values, rules);
  const recent = average(prior, sums.recentWeights, sums.recentValues, rules);
  const score = verdictOf(all, recent, rules);
  const { strength } = rules;
  return { ...carried, score, confidence: confidenceOfScore({ ...score, all, recent, strength }) };
}

/** What adding a review changes, with the sums that the evidence has afterwards; `rootsMoved` if its list of roots is another than before. */
export type CarriedReview = Omit<AppliedReview, 'score' | 'confidence'> & { sums: EvidenceSums; rootsMoved: boolean };

/** Adds one review to evidence, without a score: what all formulas share that keep sums per root and per pair. The arguments are not changed. */
export function carryReview(
  { evidence, pair, expired, review }: Omit<ReviewInContext, 'policy'>,
  rules: Rules,
): CarriedReview {
  const now = effectiveTime(evidence, review);
  const table = new RootTable(evidence, evidence.epoch, epochOf(now, rules), rules);
  const changedPairs: PairEvidence[] = [];
  const removedPairs: string[] = [];
  for (const other of expired) {
    const kept = withExpiry({ ...other, reviews: stillCounting(table, other, now, 0) }, rules);
    if (kept.reviews.length > 0 || now - kept.newestAt <= rules.recentAgeMsMax) changedPairs.push(kept);
    else removedPairs.push(other.reviewer);
  }
  const ordinal = pair?.reviewCount ?? 0;
  const held = pair === null ? [] : stillCounting(table, pair, now, 1);
  const added = heldReview(review, now, rules);
  if (counts(weightAt(added, 0, now, rules), rules)) {
    table.add(added, scaleOf(added, 0, table.epoch, rules), 1);
    held.push({ ...added, ordinal, countsUntil: countsUntil(added, rules) });
  }
  const root = mainRoot(added.roots);
  const roamsUntil = roamingUntil(pair, root, rules);
  const { reviewer } = review;
  changedPairs.push(
    withExpiry(
      {
        reviewer,
        expiresAt: 0,
        reviewCount: ordinal + 1,
        newestAt: now,
        newestRoot: root,
        roamsUntil,
        reviews: held,
      },
      rules,
    ),
  );
  const roams = roamsUntil !== null && now <= roamsUntil;
  admitRecent(table, root, { ...added, reviewer, sequence: evidence.reviewCount, roams });

  const columns = table.columns();
  const sums = sumsAt(columns, table.epoch, now, rules);
  for (const place of sums.outdated) table.forgetRecent(place);
  const living = withoutDead(columns, sums, table);
  const next: AgentEvidence = {
    ...living,
    prior: evidence.prior,
    newestAt: now,
    reviewCount: evidence.reviewCount + 1,
    epoch: table.epoch,
  };
  const changedRoots = table.isRescaled ? null : [...table.touched].sort();
  const rootsMoved = table.hasNewRoots || living !== columns;
  return { evidence: next, changedPairs, removedPairs, changedRoots, sums, rootsMoved };
}

const heldReview = (review: Review, at: number, rules: Rules): HeldReview => {
  const value = reviewValue(review, rules);
  const unit = unitOf(review.trust, value, at, rules);
  return { at, trust: review.trust, value, unit, roots: rootShares(review.roots) };
};

/** Subtracts reviews that no longer count, and returns the others. `added` is 1 if the pair has a new review, which damps the others once more. */
const stillCounting = (table: RootTable, pair: PairEvidence, now: number, added: 0 | 1): PairReview[] => {
  const { rules } = table;
  const counting: PairReview[] = [];
  for (const review of pair.reviews) {
    const newerBefore = pair.reviewCount - 1 - review.ordinal;
    const newer = newerBefore + added;
    const scale = scaleOf(review, newerBefore, table.epoch, rules);
    if (now < expiryOf(review, newer, rules) || counts(weightAt(review, newer, now, rules), rules)) {
      // Half of a double is exact, so the sum is that of the damped review.
      if (added === 1) table.add(review, -scale / 2, 0);
      counting.push(review);
    } else table.add(review, -scale, -1);
  }
  return counting;
};

/** When a review with this number of newer ones of its pair may stop counting. */
const expiryOf = (review: PairReview, newer: number, { halfLifeMs }: Rules): number =>
  review.countsUntil - newer * halfLifeMs;

/** The pair with its `expiresAt`: of the first review that stops counting, or of the pair if none counts. */
const withExpiry = (pair: PairEvidence, rules: Rules): PairEvidence => {
  let first = Number.POSITIVE_INFINITY;
  for (const review of pair.reviews) {
    first = Math.min(first, expiryOf(review, pair.reviewCount - 1 - review.ordinal, rules));
  }
  const expiresAt = pair.reviews.length > 0 ? first : Math.ceil(pair.newestAt + rules.recentAgeMsMax) + 1;
  return { ...pair, expiresAt };
};

/** `roamsUntil` of a pair with a new review for `root`: while its reviews for another root can be recent. */
const roamingUntil = (pair: PairEvidence | null, root: string, rules: Rules): number | null => {
  if (pair === null) return null;
  return pair.newestRoot === root ? pair.roamsUntil : Math.ceil(pair.newestAt + rules.recentAgeMsMax);
};

/** The roots that some review counts for, or some recent review names. */
const withoutDead = (columns: RootColumns, { named }: EvidenceSums, { touched }: RootTable): RootColumns => {
  const isDead = (place: number): boolean => columns.live[place] === 0 && named[place] === 0;
  const dead = columns.roots.filter((_, place) => isDead(place));
  for (const root of dead) touched.add(root);
  return dead.length === 0 ? columns : mapColumns(columns, (column) => column.filter((_, each) => !isDead(each)));
};
