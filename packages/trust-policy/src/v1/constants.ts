export const DAY_MS = 86_400_000;

/** The shared root of all reviews without a root domain. */
export const NO_ROOT = 'none';

/** A root as people read it. */
export function rootText(root: string): string {
  return root === NO_ROOT ? `${NO_ROOT} (reviewers without a domain)` : root;
}

/**
 * Smaller differences are floating-point noise (about 1e-13 in practice): a score this close to one half is one half, and evidence this close to
 * 10 points lower is not "more than 10" lower. Otherwise two exact computations of one score could round to different integers.
 */
export const NOISE_POINTS = 1e-10;
