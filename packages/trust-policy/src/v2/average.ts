import { NOISE_POINTS } from '../v1/constants.ts';
import { type Caps, fill } from './fill.ts';
import type { Mark } from './mark.ts';
import type { RulesV2 } from './rules.ts';
import { NO_PLACE, type RootSumsV2 } from './view.ts';

/** The capped sums over one set of reviews; the average is a line in the prior: `(K·P + points)/total`. */
export type AverageV2 = RootSumsV2 & {
  caps: Caps;
  /** `Z`. */
  total: number;
  /** `Σ W'_d`. */
  evidenceWeight: number;
  /** `100·Σ W'_d·x̄_d`. */
  points: number;
  /** How many roots speak: `RootSumsV2` has those of which nothing counts, too. */
  rootCount: number;
  /** The mean of the evidence without the prior, 0–100; null if nothing counts. */
  evidenceMean: number | null;
};

/** For agents: praise, which is a mean above the agent's own prior, has the lower cap if its root is not established. */
export function agentCaps(marks: readonly Mark[], base: number, rules: RulesV2): Caps {
  const { rootShareMax: shareMax, newRootShareMax: newShareMax } = rules;
  return { marks, praiseFrom: (base + NOISE_POINTS) / 100, shareMax, newShareMax };
}

/** For records: praise and blame by a root that is not established have the lower cap. */
export function recordCaps(marks: readonly Mark[], rules: RulesV2): Caps {
  return { ...agentCaps(marks, 0, rules), praiseFrom: -1 };
}

/** @param leftOut the place of a root that does not count */
export function averageOf(sums: RootSumsV2, caps: Caps, { strength }: RulesV2, leftOut: number = NO_PLACE): AverageV2 {
  const { values } = sums;
  const weights = leftOut === NO_PLACE ? sums.weights : sums.weights.with(leftOut, 0);
  const { total, weight: evidenceWeight, value, roots: rootCount } = fill(strength, { weights, values }, caps);
  const points = 100 * value;
  const evidenceMean = evidenceWeight > 0 ? points / evidenceWeight : null;
  return { weights, values, caps, total, evidenceWeight, points, rootCount, evidenceMean };
}
