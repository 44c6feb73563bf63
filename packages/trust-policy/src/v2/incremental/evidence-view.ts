import { type EvidenceSums, sumsAt } from '../../v1/incremental/score-of.ts';
import type { RulesV2 } from '../rules.ts';
import type { EvidenceView } from '../view.ts';
import type { EvidenceV2 } from './evidence.ts';
import { recentSums } from './recent-sums.ts';

/** Evidence as the formula sees it at its newest review. `known` are its sums, if they were just computed. */
export function viewOf(evidence: EvidenceV2, rules: RulesV2, known: EvidenceSums | null = null): EvidenceView {
  const { sums, marks } = evidence;
  const { weights, values } = known ?? sumsAt(sums, sums.epoch, sums.newestAt ?? 0, rules);
  return {
    hasReviews: sums.newestAt !== null,
    roots: sums.roots,
    weights,
    values,
    marks,
    recent: (leftOut) => recentSums(evidence, leftOut, rules),
  };
}
