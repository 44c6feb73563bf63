import { NO_ROOT } from './constants.ts';
import type { Rules } from './rules.ts';

/** A review of one agent, with the values that its event recorded. */
export type Review = {
  /** Milliseconds since the Unix epoch; fractions are allowed. */
  reviewedAt: number;
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

/** `x` of the policy: the review's opinion of the agent, from 0 (worst) to 1 (best). */
export function reviewValue(review: Pick<Review, 'success' | 'score'>, rules: Rules): number {
  const rating = (review.score - 1) / 9;
  return review.success ? rating : rules.failureFactor * rating;
}

/** Weight of a review before ageing and damping: the reviewer's trust, and more for a bad review. */
export function baseWeight(trust: number, value: number, rules: Rules): number {
  return (trust / 100) * badFactor(value, rules);
}

/**
 * `w` of the policy, by exactly its expression.
 *
 * @param newerCount `k`: the newer reviews of this agent by the same reviewer.
 * @param ageDays age relative to the agent's newest review, in fractional days.
 */
export function reviewWeight(trust: number, newerCount: number, ageDays: number, value: number, rules: Rules): number {
  return (trust / 100) * 0.5 ** newerCount * 0.5 ** (ageDays / rules.halfLifeDays) * badFactor(value, rules);
}

export function counts(weight: number, rules: Rules): boolean {
  return weight >= rules.weightMin;
}

/** The shares of a review in alphabetical order of root, without zeros. */
export function rootShares(roots: Readonly<Record<string, number>>): RootShare[] {
  const shares: RootShare[] = [];
  for (const [root, share] of Object.entries(roots)) if (share > 0) shares.push([root, share]);
  if (shares.length === 0) return [[NO_ROOT, 1]];
  return shares.length === 1 ? shares : shares.sort((a, b) => compareRoots(a[0], b[0]));
}

/** The root that a review counts for in the selection of recent reviews: the largest share, then the first by alphabet. */
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
 * The split of a review over roots. A reviewer with an org_domain has that one root, whatever `roots` contains; without an org_domain, absent or
 * empty `roots` mean the shared root `none`.
 */
export function splitOf(
  orgDomain: string | null | undefined,
  roots: Readonly<Record<string, number>> | null | undefined,
): Record<string, number> {
  if (orgDomain != null) return { [orgDomain]: 1 };
  return roots != null && Object.values(roots).some((share) => share > 0) ? { ...roots } : { [NO_ROOT]: 1 };
}

const badFactor = (value: number, rules: Rules): number => (value < rules.badBelow ? rules.badWeight : 1);
