import type { Mark } from './mark.ts';

/** Sums per root: `W_d` before any cap, and `W_d·x̄_d`. Parallel to a list of roots. */
export type RootSumsV2 = { weights: readonly number[]; values: readonly number[] };

/** The sums of the recent reviews alone, and of how many roots one of them is bad. Null if no review is recent. */
export type RecentSums = (RootSumsV2 & { badRoots: number }) | null;

/** What the formula needs of evidence, in whichever way that is kept. */
export type EvidenceView = RootSumsV2 & {
  hasReviews: boolean;
  /** In alphabetical order. */
  roots: readonly string[];
  marks: readonly Mark[];
  /** The recent reviews, as if the root at a place had none; of all roots if it is `NO_PLACE`. */
  recent: (leftOut: number) => RecentSums;
};

/** No root. */
export const NO_PLACE = -1;
