import { NOISE_POINTS } from '../v1/constants.ts';
import { type Basis, clamp, settleHalf, type Verdict } from '../v1/formula.ts';
import type { AverageV2 } from './average.ts';
import type { RulesV2 } from './rules.ts';

/** An average as a line in the prior, `(K·P + points)/weight`, and how many roots speak in it. */
export type Line = { weight: number; points: number; roots: number };

/**
 * An agent's score as a function of its prior. Nothing else of it depends on the prior, so a change of its organisation's record needs these few numbers,
 * not the evidence.
 */
export type ScoreLine = {
  all: Line;
  /** Null unless the recent evidence is so much worse that the lower of both averages is the score. */
  recent: Line | null;
};

/** The average as a line in the prior. */
export function lineOf({ total, points, rootCount }: AverageV2): Line {
  return { weight: total, points, roots: rootCount };
}

/** The fast fall: whether the lower of both averages is the score. */
export function isFalling(all: AverageV2, recent: AverageV2 | null, badRoots: number, rules: RulesV2): boolean {
  if (recent === null || badRoots < rules.fallRootsMin) return false;
  if (all.evidenceMean === null || recent.evidenceMean === null) return false;
  return all.evidenceMean - recent.evidenceMean > rules.fastFallPoints + NOISE_POINTS;
}

/** The average at a prior, before rounding. */
export function valueAt({ weight, points }: Omit<Line, 'roots'>, prior: number, { strength }: RulesV2): number {
  // Without evidence it is the prior, to the last digit.
  return weight === strength && points === 0 ? prior : (strength * prior + points) / weight;
}

/** The score at a prior `P`: 0–100, and the average that it is. */
export function verdictAt(line: ScoreLine, prior: number, rules: RulesV2): Verdict {
  const all = valueAt(line.all, prior, rules);
  const recent = line.recent === null ? null : valueAt(line.recent, prior, rules);
  // Averages that differ by noise only are equal: whichever is lower would depend on the order of additions.
  const basis: Basis = recent !== null && recent < all - NOISE_POINTS ? 'recent' : 'all';
  const unrounded = settleHalf(onGrid(clamp(basis === 'recent' && recent !== null ? recent : all)));
  return { score: clamp(Math.floor(unrounded + 0.5)), unrounded, basis };
}

/**
 * The nearest multiple of 2⁻⁴⁴, about 6e-14, far below the noise of the computation. Parts of a score are such multiples, too, so they can be added in any
 * order without rounding: their sums stay below 2⁹.
 */
export function onGrid(value: number): number {
  return Math.round(value * GRID) / GRID;
}

const GRID = 2 ** 44;
