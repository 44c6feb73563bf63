import type { ReviewPart } from '../../v1/direct.ts';
import type { Basis } from '../../v1/formula.ts';
import { type KeptReview, partsOf } from '../../v1/incremental/review-parts.ts';
import type { RulesV2 } from '../rules.ts';
import { NO_PLACE } from '../view.ts';
import type { EvidenceV2 } from './evidence.ts';
import { recentReviews } from './recent-sums.ts';

/**
 * The parts of reviews in the average that is the score or the record, from the evidence and one review at a time.
 *
 * @param leftOut the place of the root that a record leaves out
 */
export function reviewPartsV2(
  evidence: EvidenceV2,
  basis: Basis,
  rules: RulesV2,
  leftOut: number = NO_PLACE,
): (review: KeptReview) => ReviewPart {
  const now = evidence.sums.newestAt ?? 0;
  const recent = new Map(recentReviews(evidence, leftOut, rules).map(({ review, newer }) => [review.sequence, newer]));
  return partsOf({ now, recent }, basis, rules);
}
