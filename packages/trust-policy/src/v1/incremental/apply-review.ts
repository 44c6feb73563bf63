import type { TrustPolicy } from '../../policy/trust-policy.ts';
import { average, type Verdict, verdictOf } from '../formula.ts';
import { type Review, counts, mainRoot, reviewValue, rootShares } from '../review.ts';
import { type Rules, rulesOf } from '../rules.ts';
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
  policy: TrustPolicy;
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
export function effectiveTime(evidence: AgentEvidence, review: Pick<Review, 'reviewedAt'>): number {
  return evidence.newestAt === null ? review.reviewedAt : Math.max(evidence.newestAt, review.reviewedAt);
}

/**
 * Takes one review into an agent's evidence and scores it; equal to `scoreDirect` over the whole history. Evidence is one policy's: all of
 * an agent's reviews are applied under the same one.
 *
 * The values passed in are left as they are. Work and memory depend on the roots behind the agent and on the 21 (v1) reviews that
 * a pair can hold, not on the number of reviews; each review expires once.
 */
export function applyReview({ evidence, pair, expired, review, policy }: ReviewInContext): AppliedReview {
  const rules = rulesOf(policy);
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
  const next: AgentEvidence = {
    ...withoutDead(columns, sums),
    prior: evidence.prior,
    newestAt: now,
    reviewCount: evidence.reviewCount + 1,
    epoch: table.epoch,
  };
  const all = average(evidence.prior, sums.weights, sums.values, rules);
  const recent = average(evidence.prior, sums.recentWeights, sums.recentValues, rules);
  return { evidence: next, changedPairs, removedPairs, score: verdictOf(all, recent, rules) };
}

const heldReview = (review: Review, at: number, rules: Rules): HeldReview => {
  const value = reviewValue(review, rules);
  const unit = unitOf(review.trust, value, at, rules);
  return { at, trust: review.trust, value, unit, roots: rootShares(review.roots) };
};

/**
 * Takes the reviews of a pair that no longer count out of the sums and returns the others. `added` is 1 when the pair has a new
 * review, which damps all others once more.
 */
const stillCounting = (table: RootTable, pair: PairEvidence, now: number, added: 0 | 1): PairReview[] => {
  const { rules } = table;
  const counting: PairReview[] = [];
  for (const review of pair.reviews) {
    const newerBefore = pair.reviewCount - 1 - review.ordinal;
    const newer = newerBefore + added;
    const scale = scaleOf(review, newerBefore, table.epoch, rules);
    if (now < expiryOf(review, newer, rules) || counts(weightAt(review, newer, now, rules), rules)) {
      // Half of a double is exact, so taking out half leaves what adding the damped review would have made.
      if (added === 1) table.add(review, -scale / 2, 0);
      counting.push(review);
    } else table.add(review, -scale, -1);
  }
  return counting;
};

/** When a review with this many newer ones of its pair may stop counting. */
const expiryOf = (review: PairReview, newer: number, { halfLifeMs }: Rules): number =>
  review.countsUntil - newer * halfLifeMs;

/** The pair with its `expiresAt`: of the first review to stop counting, or of the pair itself when none counts. */
const withExpiry = (pair: PairEvidence, rules: Rules): PairEvidence => {
  let first = Number.POSITIVE_INFINITY;
  for (const review of pair.reviews) {
    first = Math.min(first, expiryOf(review, pair.reviewCount - 1 - review.ordinal, rules));
  }
  const expiresAt = pair.reviews.length > 0 ? first : Math.ceil(pair.newestAt + rules.recentAgeMsMax) + 1;
  return { ...pair, expiresAt };
};

/** `roamsUntil` of a pair that gets a review counting for `root`: while its reviews under another root can still be recent. */
const roamingUntil = (pair: PairEvidence | null, root: string, rules: Rules): number | null => {
  if (pair === null) return null;
  return pair.newestRoot === root ? pair.roamsUntil : Math.ceil(pair.newestAt + rules.recentAgeMsMax);
};

/** The roots without those that nothing counts for and that no recent review names. */
const withoutDead = (columns: RootColumns, { named }: EvidenceSums): RootColumns => {
  const isDead = (place: number): boolean => columns.live[place] === 0 && named[place] === 0;
  for (let place = 0; place < columns.roots.length; place += 1) {
    if (isDead(place)) return filterRoots(columns, (each) => !isDead(each));
  }
  return columns;
};
