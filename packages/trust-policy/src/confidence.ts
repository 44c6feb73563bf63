import type { Average, Verdict } from './v1/formula.ts';
import type { RulesV2 } from './v2/rules.ts';
import { type ScoreLine, verdictAt } from './v2/verdict.ts';

/** How much evidence there is, and between which scores an agent of such evidence is in about 90 of 100 cases. */
export type Confidence = { evidenceWeight: number; roots: number; interval: [low: number, high: number] };

/**
 * About 90 percent of a Beta posterior with the mean and the weight of the average that is the score, in tenths of a point.
 *
 * @param evidenceWeight weight of what counts in that average, without the prior
 * @param strength weight of the prior
 * @param roots that speak in it
 */
export function confidenceOf(
  unrounded: number,
  { evidenceWeight, strength, roots }: { evidenceWeight: number; strength: number; roots: number },
): Confidence {
  const mean = unrounded / 100;
  const half = NORMAL_95 * Math.sqrt((mean * (1 - mean)) / (strength + evidenceWeight + 1));
  const tenths = (value: number): number => Math.round(1000 * Math.min(1, Math.max(0, value))) / 10;
  return { evidenceWeight, roots, interval: [tenths(mean - half), tenths(mean + half)] };
}

/** The confidence of a score of formula v1. */
export function confidenceOfScore({
  unrounded,
  basis,
  all,
  recent,
  strength,
}: Pick<Verdict, 'unrounded' | 'basis'> & { all: Average; recent: Average | null; strength: number }): Confidence {
  const { evidenceWeight, rootCount: roots } = basis === 'recent' && recent !== null ? recent : all;
  return confidenceOf(unrounded, { evidenceWeight, strength, roots });
}

/** The confidence of a score of formula v2 at a prior `P`. */
export function confidenceAt(line: ScoreLine, prior: number, rules: RulesV2): Confidence {
  const { unrounded, basis } = verdictAt(line, prior, rules);
  const { weight, roots } = basis === 'recent' && line.recent !== null ? line.recent : line.all;
  const { strength } = rules;
  return confidenceOf(unrounded, { evidenceWeight: weight - strength, strength, roots });
}

/** The 95th percentile of the normal distribution, as the policy states it. */
const NORMAL_95 = 1.645;
