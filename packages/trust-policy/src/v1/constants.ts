export const DAY_MS = 86_400_000;

/** The root shared by all reviews that no root domain stands behind. */
export const NO_ROOT = 'none';

/**
 * Differences below this are floating-point noise (some 1e-13 in practice), never evidence: a score this near to one half is
 * one half, and evidence this near to exactly 10 points lower is not "more than 10" lower. Without it two exact ways to
 * compute the same score could round it to different integers.
 */
export const NOISE_POINTS = 1e-10;
