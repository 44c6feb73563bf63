import type { RootShare } from '../review.ts';

/**
 * A review as evidence holds it. Its contribution to a root's sums is `unit · share · 2^(periods since epoch − k)`, where
 * `unit` is computed once: the rest are multiplications by powers of two, which are exact. So what is taken out of a sum
 * later is bit for bit what was put in.
 */
export type HeldReview = {
  /** Milliseconds since the Unix epoch; never before the agent's previous review. */
  at: number;
  trust: number;
  /** `x`, 0–1. */
  value: number;
  /** Base weight scaled to the beginning of the half-life period that `at` lies in. */
  unit: number;
  roots: readonly RootShare[];
};

/** A review of a pair that still counts. */
export type PairReview = HeldReview & {
  /** Its number among the reviews of its pair: `k` follows from it, so a newer review changes none of the older ones. */
  ordinal: number;
  /** An integer time before which the review certainly counts while `k` is 0; one half-life earlier for each newer review. */
  countsUntil: number;
};

/** A review that may be among the recent ones of the root it counts for. */
export type RecentReview = HeldReview & {
  /** Its number among the agent's reviews, in log order. */
  sequence: number;
  reviewer: string;
  /** `k`, counted among the recent reviews. */
  newer: number;
  /** Whether an older recent review of the same reviewer may count for another root than this one does. */
  roams: boolean;
};

/**
 * What stands behind each root, as columns: the same place in each list belongs to the same root. Lists of numbers are small
 * in memory and as JSON, where an object for each root is neither.
 *
 * The sums are scaled to the beginning of the evidence's epoch and carried as a value and its rounding error (Neumaier), so
 * that adding and taking out millions of reviews leaves no drift.
 */
export type RootColumns = {
  /** In alphabetical order. */
  roots: readonly string[];
  /** Reviews in the sums; at 0 the sums are exactly 0. */
  live: readonly number[];
  /** `W_d`. */
  weights: readonly number[];
  weightErrors: readonly number[];
  /** `W_d·x̄_d`. */
  values: readonly number[];
  valueErrors: readonly number[];
  /** The last reviews that count for the root, oldest first, at most 3. Some may be too old by now; when all are, the next review of the agent empties the list. */
  recent: readonly (readonly RecentReview[])[];
  /**
   * The time of the oldest of them, if all have this one root and none can become too light to count while recent;
   * else `NOT_PLAIN`.
   */
  plainFrom: readonly number[];
  /** Then also their sums, made anew with each change of `recent` and scaled like the others; else 0. */
  recentWeights: readonly number[];
  recentValues: readonly number[];
};

/** Before any date, so that it is never within 90 days of one. */
export const NOT_PLAIN = -8.64e15;

/**
 * All that the score of one agent needs, as one JSON-serialisable value. Its size depends on the number of roots that stand
 * behind the agent, not on the number of reviews.
 */
export type AgentEvidence = RootColumns & {
  /** 0–100. */
  prior: number;
  /** Time of the newest review in milliseconds since the Unix epoch; null before the first. */
  newestAt: number | null;
  /** Reviews so far. */
  reviewCount: number;
  /** The half-life period since the Unix epoch that the sums are scaled to: that of the newest review. */
  epoch: number;
};

/** What is held of the reviews of one agent by one reviewer while any of them counts or is recent. JSON-serialisable. */
export type PairEvidence = {
  reviewer: string;
  /** No review of this pair stops counting before this time (milliseconds since the Unix epoch). */
  expiresAt: number;
  /** Reviews of this pair so far, counted from a time when none of the earlier ones counted. */
  reviewCount: number;
  /** Time of the newest review of this pair, and the root that it counts for among the recent ones. */
  newestAt: number;
  newestRoot: string;
  /** Until this time recent reviews of this pair may count for another root than the newest one; null: none does. */
  roamsUntil: number | null;
  /** Those that still count, at most 21, oldest first. */
  reviews: readonly PairReview[];
};

/** An agent that nobody has reviewed. */
export function initialEvidence(prior: number): AgentEvidence {
  return {
    prior,
    newestAt: null,
    reviewCount: 0,
    epoch: 0,
    roots: [],
    live: [],
    weights: [],
    weightErrors: [],
    values: [],
    valueErrors: [],
    recent: [],
    plainFrom: [],
    recentWeights: [],
    recentValues: [],
  };
}

/** The same evidence under another prior, for example once an organisation stands behind the agent. */
export function withPrior(evidence: AgentEvidence, prior: number): AgentEvidence {
  return { ...evidence, prior };
}
