import { NOISE_POINTS } from '../v1/constants.ts';
import type { Basis } from '../v1/formula.ts';
import { type AverageV2, averageOf, recordCaps } from './average.ts';
import { capOf } from './fill.ts';
import { RECORD_MAX, type RulesV2 } from './rules.ts';
import { isFalling, lineOf, verdictAt } from './verdict.ts';
import { type EvidenceView, NO_PLACE } from './view.ts';

/** A record, or a standing record, with what it is made from. */
export type OrganisationRecord = {
  /** A multiple of 5 (`recordStep`), or 75; 0–75. */
  record: number;
  /** Before rounding down. */
  unrounded: number;
  basis: Basis;
  /** Place of the root that lowers the record most, which is left out; `NO_PLACE` for none. */
  leftOut: number;
  all: AverageV2;
  recent: AverageV2 | null;
};

/** Section 4 of the policy. */
export function recordOf(view: EvidenceView, rules: RulesV2): OrganisationRecord {
  const caps = recordCaps(view.marks, rules);
  const leftOut = heaviestPull(averageOf(view, caps, rules));
  const all = averageOf(view, caps, rules, leftOut);
  const recentSums = view.recent(leftOut);
  const recent = recentSums === null ? null : averageOf(recentSums, caps, rules);
  const falls = isFalling(all, recent, recentSums?.badRoots ?? 0, rules);
  const { unrounded, basis } = verdictAt(
    {
      all: lineOf(all),
      recent: falls && recent !== null ? lineOf(recent) : null,
    },
    RECORD_MAX,
    rules,
  );
  const { recordStep: step } = rules;
  const stepped = Math.min(RECORD_MAX, step * Math.floor((unrounded + NOISE_POINTS) / step));
  return { record: view.hasReviews ? stepped : RECORD_MAX, unrounded, basis, leftOut, all, recent };
}

/** The root that pulls the record down most; of roots that differ by noise only the first in alphabetical order. */
const heaviestPull = ({ weights, values, caps, total }: AverageV2): number => {
  let [heaviest, most] = [NO_PLACE, 0];
  for (let place = 0; place < weights.length; place += 1) {
    const weight = weights[place] ?? 0;
    if (weight <= 0) continue;
    const value = values[place] ?? 0;
    const limit = capOf(value, weight, caps.marks[place] ?? 0, caps) * total;
    const pull = Math.min(weight, limit) * (RECORD_MAX / 100 - value / weight);
    if (pull > most + NOISE_POINTS) [heaviest, most] = [place, pull];
  }
  return heaviest;
};
