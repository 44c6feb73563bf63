import { type MatchPartValues, matchScoreSteps, matchWeights } from '@agent-trust/contracts';

/** The standard normal quantile of a two-sided 95 percent interval. */
const z = 1.959963984540054;
/** The transaction count at which its part is full, as a power of ten. */
const transactionsFullLog10 = 4;

/** Lower bound of the 95 percent Wilson score interval for a success rate (Wilson 1927); 0 without reviews. */
export function wilsonLowerBound(successCount: number, reviewCount: number): number {
  if (reviewCount === 0) return 0;
  const rate = successCount / reviewCount;
  const z2 = z * z;
  const centre = rate + z2 / (2 * reviewCount);
  const margin = z * Math.sqrt((rate * (1 - rate) + z2 / (4 * reviewCount)) / reviewCount);
  return Math.max(0, (centre - margin) / (1 + z2 / reviewCount));
}

/** What an agent has earned, as far as match_score looks at it. */
export type EarnedStanding = {
  trustScore: number;
  otherOrgTransactionCount: number;
  reviewCount: number;
  successCount: number;
};

/** The parts of match_score that an agent brings to every question. */
export type MatchBaseParts = Omit<MatchPartValues, 'capability'>;

const trustPart = (trustScore: number): number => trustScore / 100;
const activityPart = (otherOrgTransactionCount: number): number =>
  Math.min(1, Math.log10(1 + otherOrgTransactionCount) / transactionsFullLog10);

/** What they add to match_score. */
export function matchBaseParts(standing: EarnedStanding): MatchBaseParts {
  return {
    trust: matchWeights.trust * trustPart(standing.trustScore),
    success: matchWeights.success * wilsonLowerBound(standing.successCount, standing.reviewCount),
    activity: matchWeights.activity * activityPart(standing.otherOrgTransactionCount),
  };
}

/** How much an agent has of each part, 0–1; what it brings tells its success, which need not be kept besides. */
export function matchPartValuesOf(
  capability: number,
  agent: { trustScore: number; otherOrgTransactionCount: number; matchBase: number },
): MatchPartValues {
  const trust = trustPart(agent.trustScore);
  const activity = activityPart(agent.otherOrgTransactionCount);
  const success =
    (agent.matchBase - matchWeights.trust * trust - matchWeights.activity * activity) / matchWeights.success;
  return { capability, trust, success: Math.min(1, Math.max(0, success)), activity };
}

/** The sum of those parts, 0–0.4. */
export function matchBase(standing: EarnedStanding): number {
  const { trust, success, activity } = matchBaseParts(standing);
  return trust + success + activity;
}

/**
 * match_score in ten-thousandths, rounded half up: whole numbers compare the same everywhere.
 *
 * @param capability mean over the required names of similarity·weight/3, 0–1
 * @param base what the agent brings to every question
 */
export function matchSteps(capability: number, base: number): number {
  return Math.floor((matchWeights.capability * capability + base) * matchScoreSteps + 0.5);
}

/** Room for what rounding does to sums. */
const slack = 1e-9;

/** With less capability than this nobody reaches a match_score, given in ten-thousandths, who brings no more than `baseMax`. */
export function capabilityMin(steps: number, baseMax: number): number {
  return ((steps - 0.5) / matchScoreSteps - baseMax) / matchWeights.capability - slack;
}
