import { matchScoreSteps, matchWeights } from '../../read-models/agent-standing/match-base.ts';

/**
 * match_score in ten-thousandths, rounded half up: whole numbers compare the same everywhere.
 *
 * @param capability mean over the required names of similarity·weight/3, 0–1
 * @param base what the agent brings to every question
 */
export const matchSteps = (capability: number, base: number): number =>
  Math.floor((matchWeights.capability * capability + base) * matchScoreSteps + 0.5);
