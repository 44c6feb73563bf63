import type { RootShare } from '../review.ts';

/**
 * A review in the evidence. It contributes `unit · share · 2^(periods since epoch − k)` to a root's sums. `unit` is computed once, and multiplications
 * by powers of two are exact, so exactly what was added to a sum can be subtracted later.
 */
export type HeldReview = {
  /** Milliseconds since the Unix epoch; never before the agent's previous review. */
  at: number;
  trust: number;
  /** `x`, 0–1. */
  value: number;
  /** Base weight scaled to the beginning of the half-life period of `at`. */
  unit: number;
  roots: readonly RootShare[];
};

export type PairReview = HeldReview & {
  /** Its number among the reviews of its pair. `k` follows from it, so a newer review does not change older ones. */
  ordinal: number;
  /** An integer time before which the review counts if `k` is 0; one half-life earlier for each newer review. */
  countsUntil: number;
};

/** A review that may be among the recent ones of the root that it counts for. */
export type RecentReview = HeldReview & {
  /** Its number among the agent's reviews, in log order. */
  sequence: number;
  reviewer: string;
  /** `k`, counted among the recent reviews. */
  newer: number;
  /** Whether an older recent review of the same reviewer may count for another root. */
  roams: boolean;
};

/**
 * The evidence of each root, as columns with one place for each root. The sums are scaled to the beginning of the evidence's epoch. Each is a value and
 * its rounding error (Neumaier), so that adding and subtracting millions of reviews causes no drift.
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
  /** The last reviews that count for the root, oldest first, at most 3. Once all are too old, the agent's next review empties the list. */
  recent: readonly (readonly RecentReview[])[];
  /** The time of the oldest of them if all have this one root and none can become too light to count while recent; else `NOT_PLAIN`. */
  plainFrom: readonly number[];
  /** Their sums if `plainFrom` is a time, computed with each change of `recent` and scaled like the others; else 0. */
  recentWeights: readonly number[];
  recentValues: readonly number[];
};

/** Before any date, so that it is never within 90 days of one. */
export const NOT_PLAIN = -8.64e15;

/** One list for all roots without recent reviews. */
export const noReviews: readonly RecentReview[] = [];

export type RootDraft = { -readonly [Name in keyof RootColumns]: RootColumns[Name][number][] };

/** New columns from `change`, which also gets the value of a root without evidence. */
export function mapColumns(columns: RootColumns, change: <T>(column: readonly T[], empty: T) => T[]): RootDraft {
  return {
    roots: change(columns.roots, ''),
    live: change(columns.live, 0),
    weights: change(columns.weights, 0),
    weightErrors: change(columns.weightErrors, 0),
    values: change(columns.values, 0),
    valueErrors: change(columns.valueErrors, 0),
    recent: change(columns.recent, noReviews),
    plainFrom: change(columns.plainFrom, NOT_PLAIN),
    recentWeights: change(columns.recentWeights, 0),
    recentValues: change(columns.recentValues, 0),
  };
}

/** All that an agent's score needs. Plain JSON; its size depends on the number of roots, not of reviews. */
export type AgentEvidence = RootColumns & {
  /** 0–100. */
  prior: number;
  /** Time of the newest review in milliseconds since the Unix epoch; null before the first. */
  newestAt: number | null;
  reviewCount: number;
  /** The half-life period since the Unix epoch that the sums are scaled to: that of the newest review. */
  epoch: number;
};

/** The reviews of one agent by one reviewer, while any of them counts or is recent. Plain JSON. */
export type PairEvidence = {
  reviewer: string;
  /** No review of this pair stops counting before this time (milliseconds since the Unix epoch). */
  expiresAt: number;
  /** Reviews of this pair so far, from a time when no earlier one counted. */
  reviewCount: number;
  /** Time and main root of the newest review. */
  newestAt: number;
  newestRoot: string;
  /** Until this time, recent reviews of this pair may count for another root than the newest one; null if none does. */
  roamsUntil: number | null;
  /** Those that still count, at most 21, oldest first. */
  reviews: readonly PairReview[];
};

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

/** The same evidence under another prior, for example when an organisation vouches for the agent. */
export function withPrior(evidence: AgentEvidence, prior: number): AgentEvidence {
  return { ...evidence, prior };
}
