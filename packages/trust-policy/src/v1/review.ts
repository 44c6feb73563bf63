import { NO_ROOT } from './constants.ts';
import type { Rules } from './rules.ts';

/** A review of one agent, with what was frozen into its event when it was made. */
export type Review = {
  /** Milliseconds since the Unix epoch; fractions are allowed. */
  reviewedAt: number;
  /** Agent id of the reviewer. */
  reviewer: string;
  /** Root domain → share of this review's weight; the shares sum to 1. Empty means the shared root `none`. */
  roots: Readonly<Record<string, number>>;
  /** The reviewer's trust score when it reviewed, 0–100. */
  trust: number;
  success: boolean;
  /** 1–10. */
  score: number;
};

/** A root domain and its share of a review's weight. A pair and not an object, because evidence is stored as JSON. */
export type RootShare = readonly [root: string, share: number];

/** `x` of the policy: what the review says about the agent, from 0 (worst) to 1 (best). */
export function reviewValue(review: Pick<Review, 'success' | 'score'>, rules: Rules): number {
  const rating = (review.score - 1) / 9;
  return review.success ? rating : rules.failureFactor * rating;
}

/** Weight of a review before any ageing or damping: the reviewer's standing, and more for a bad review. */
export function baseWeight(trust: number, value: number, rules: Rules): number {
  return (trust / 100) * badFactor(value, rules);
}

/**
 * `w` of the policy, exactly as written there.
 *
 * @param newerCount `k`: the newer reviews of this agent by the same reviewer.
 * @param ageDays age beside the agent's newest review, in fractional days.
 */
export function reviewWeight(trust: number, newerCount: number, ageDays: number, value: number, rules: Rules): number {
  return (trust / 100) * 0.5 ** newerCount * 0.5 ** (ageDays / rules.halfLifeDays) * badFactor(value, rules);
}

/** Whether a weight is large enough to count at all. */
export function counts(weight: number, rules: Rules): boolean {
  return weight >= rules.weightMin;
}

/** The shares of a review in alphabetical order of root, without those of nothing. */
export function rootShares(roots: Readonly<Record<string, number>>): RootShare[] {
  const shares: RootShare[] = [];
  for (const [root, share] of Object.entries(roots)) if (share > 0) shares.push([root, share]);
  if (shares.length === 0) return [[NO_ROOT, 1]];
  return shares.length === 1 ? shares : shares.sort((a, b) => compareRoots(a[0], b[0]));
}

/** The root that a review counts for when recent reviews are selected: the largest share, ties to the first by alphabet. */
export function mainRoot(shares: readonly RootShare[]): string {
  let [main, largest] = shares[0] ?? [NO_ROOT, 1];
  for (const [root, share] of shares) {
    if (share > largest || (share === largest && compareRoots(root, main) < 0)) [main, largest] = [root, share];
  }
  return main;
}

/** Alphabetical order of roots: by UTF-16 code unit, the same on every machine and in every locale. */
export function compareRoots(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The split that a review's event freezes for an affiliated reviewer, or the given one for an unaffiliated reviewer.
 * A reviewer with an org_domain has that one root, whatever else is said of it.
 */
export function splitOf(
  orgDomain: string | null | undefined,
  roots: Readonly<Record<string, number>> | null | undefined,
): Record<string, number> {
  if (orgDomain != null) return { [orgDomain]: 1 };
  return roots != null && Object.values(roots).some((share) => share > 0) ? { ...roots } : { [NO_ROOT]: 1 };
}

const badFactor = (value: number, rules: Rules): number => (value < rules.badBelow ? rules.badWeight : 1);
