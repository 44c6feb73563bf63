import { matchScoreSteps, matchWeights } from '../../projector/read-models/agent-standing/match-base.ts';

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
