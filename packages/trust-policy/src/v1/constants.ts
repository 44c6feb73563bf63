/** Name that goes with every score computed here. */
export const POLICY_V1 = 'v1';

/** Weight of the prior, in reviews of full weight. */
export const STRENGTH = 5;
/** Largest share of all weight, the prior included, that one root domain may hold. */
export const ROOT_SHARE_MAX = 0.2;
/** Value of an exchange that failed, as a fraction of what the same rating is worth after a success. */
export const FAILURE_FACTOR = 0.3;
/** A review whose value is below this is a bad one ... */
export const BAD_BELOW = 0.5;
/** ... and weighs this much more, so that trust is lost faster than it is won. */
export const BAD_WEIGHT = 1.5;
/** What lies below this weight counts as nothing: it bounds the reviews of one reviewer that can count to 21. */
export const WEIGHT_MIN = 1e-6;

export const DAY_MS = 86_400_000;
export const HALF_LIFE_DAYS = 90;
export const HALF_LIFE_MS = HALF_LIFE_DAYS * DAY_MS;

/** Fast fall: how old a review may be beside the newest one, and how many of one root are looked at. */
export const RECENT_AGE_DAYS_MAX = 90;
export const RECENT_AGE_MS_MAX = RECENT_AGE_DAYS_MAX * DAY_MS;
export const RECENT_PER_ROOT_MAX = 3;
/** Fast fall: the recent evidence must lie more than this many points below all evidence. */
export const FAST_FALL_POINTS = 10;

/** The root shared by all reviews that no root domain stands behind. */
export const NO_ROOT = 'none';

/**
 * Differences below this are floating-point noise (some 1e-13 in practice), never evidence: a score this near to one half is
 * one half, and evidence this near to exactly 10 points lower is not "more than 10" lower. Without it two exact ways to
 * compute the same score could round it to different integers.
 */
export const NOISE_POINTS = 1e-10;
