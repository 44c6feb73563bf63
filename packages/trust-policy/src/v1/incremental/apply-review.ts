import { HALF_LIFE_MS, RECENT_AGE_MS_MAX } from '../constants.ts';
import { average, type Verdict, verdictOf } from '../formula.ts';
import { type Review, counts, mainRoot, reviewValue, rootShares } from '../review.ts';
import type { AgentEvidence, HeldReview, PairEvidence, PairReview, RootColumns } from './evidence.ts';
import { admitRecent } from './recent.ts';
import { filterRoots, RootTable } from './root-table.ts';
import { countsUntil, epochOf, scaleOf, unitOf, weightAt } from './scale.ts';
import { type EvidenceSums, sumsAt } from './sums.ts';

/** A review and what is stored of its agent. */
export type ReviewInContext = {
  evidence: AgentEvidence;
  /** What is stored of this agent and this reviewer; null when there is nothing. */
  pair: PairEvidence | null;
  /** All other pairs of this agent whose `expiresAt` is not after `effectiveTime(evidence, review)`. */
  expired: readonly PairEvidence[];
  review: Review;
};

export type AppliedReview = {
  evidence: AgentEvidence;
  /** Pairs to store: new or changed. */
  changedPairs: PairEvidence[];
  /** Reviewers whose pairs are to be deleted: no review of theirs counts any more or is recent. */
  removedPairs: string[];
  score: Verdict;
};

/** When a review counts as made: never before the agent's previous one, because the log's order is the order of events. */
export const effectiveTime = (evidence: AgentEvidence, review: Pick<Review, 'reviewedAt'>): number =>
  evidence.newestAt === null ? review.reviewedAt : Math.max(evidence.newestAt, review.reviewedAt);

/**
 * Takes one review into an agent's evidence and scores it; equal to `scoreDirect` over the whole history.
 *
 * The values passed in are left as they are. Work and memory depend on the roots behind the agent and on the 21 reviews that a
 * pair can hold, not on the number of reviews; each review expires once.
 */
export const applyReview = ({ evidence, pair, expired, review }: ReviewInContext): AppliedReview => {
  const now = effectiveTime(evidence, review);
  const table = new RootTable(evidence, evidence.epoch, epochOf(now));
  const changedPairs: PairEvidence[] = [];
  const removedPairs: string[] = [];
  for (const other of expired) {
    const kept = withExpiry({ ...other, reviews: stillCounting(table, other, now, 0) });
    if (kept.reviews.length > 0 || now - kept.newestAt <= RECENT_AGE_MS_MAX) changedPairs.push(kept);
    else removedPairs.push(other.reviewer);
  }
  const ordinal = pair?.reviewCount ?? 0;
  const held = pair === null ? [] : stillCounting(table, pair, now, 1);
  const added = heldReview(review, now);
  if (counts(weightAt(added, 0, now))) {
    table.add(added, scaleOf(added, 0, table.epoch), 1);
    held.push({ ...added, ordinal, countsUntil: countsUntil(added) });
  }
  const root = mainRoot(added.roots);
  const roamsUntil = roamingUntil(pair, root);
  const { reviewer } = review;
  changedPairs.push(
    withExpiry({
      reviewer,
      expiresAt: 0,
      reviewCount: ordinal + 1,
      newestAt: now,
      newestRoot: root,
      roamsUntil,
      reviews: held,
    }),
  );
  const roams = roamsUntil !== null && now <= roamsUntil;
  admitRecent(table, root, { ...added, reviewer, sequence: evidence.reviewCount, roams });

  const columns = table.columns();
  const sums = sumsAt(columns, table.epoch, now);
  const next: AgentEvidence = {
    ...withoutDead(columns, sums),
    prior: evidence.prior,
    newestAt: now,
    reviewCount: evidence.reviewCount + 1,
    epoch: table.epoch,
  };
  const all = average(evidence.prior, sums.weights, sums.values);
  const recent = average(evidence.prior, sums.recentWeights, sums.recentValues);
  return { evidence: next, changedPairs, removedPairs, score: verdictOf(all, recent) };
};

const heldReview = (review: Review, at: number): HeldReview => {
  const value = reviewValue(review);
  const unit = unitOf(review.trust, value, at);
  return { at, trust: review.trust, value, unit, roots: rootShares(review.roots) };
};

/**
 * Takes the reviews of a pair that no longer count out of the sums and returns the others. `added` is 1 when the pair has a new
 * review, which damps all others once more.
 */
const stillCounting = (table: RootTable, pair: PairEvidence, now: number, added: 0 | 1): PairReview[] => {
  const counting: PairReview[] = [];
  for (const review of pair.reviews) {
    const newerBefore = pair.reviewCount - 1 - review.ordinal;
    const newer = newerBefore + added;
    const scale = scaleOf(review, newerBefore, table.epoch);
    if (now < expiryOf(review, newer) || counts(weightAt(review, newer, now))) {
      // Half of a double is exact, so taking out half leaves what adding the damped review would have made.
      if (added === 1) table.add(review, -scale / 2, 0);
      counting.push(review);
    } else table.add(review, -scale, -1);
  }
  return counting;
};

/** When a review with this many newer ones of its pair may stop counting. */
const expiryOf = (review: PairReview, newer: number): number => review.countsUntil - newer * HALF_LIFE_MS;

/** The pair with its `expiresAt`: of the first review to stop counting, or of the pair itself when none counts. */
const withExpiry = (pair: PairEvidence): PairEvidence => {
  let first = Number.POSITIVE_INFINITY;
  for (const review of pair.reviews) {
    first = Math.min(first, expiryOf(review, pair.reviewCount - 1 - review.ordinal));
  }
  return { ...pair, expiresAt: pair.reviews.length > 0 ? first : Math.ceil(pair.newestAt) + RECENT_AGE_MS_MAX + 1 };
};

/** `roamsUntil` of a pair that gets a review counting for `root`: while its reviews under another root can still be recent. */
const roamingUntil = (pair: PairEvidence | null, root: string): number | null => {
  if (pair === null) return null;
  return pair.newestRoot === root ? pair.roamsUntil : Math.ceil(pair.newestAt) + RECENT_AGE_MS_MAX;
};

/** The roots without those that nothing counts for and that no recent review names. */
const withoutDead = (columns: RootColumns, { named }: EvidenceSums): RootColumns => {
  const isDead = (place: number): boolean => columns.live[place] === 0 && named[place] === 0;
  for (let place = 0; place < columns.roots.length; place += 1) {
    if (isDead(place)) return filterRoots(columns, (each) => !isDead(each));
  }
  return columns;
};
