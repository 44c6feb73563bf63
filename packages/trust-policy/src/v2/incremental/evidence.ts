import { type AgentEvidence, initialEvidence } from '../../v1/incremental/evidence.ts';
import type { Mark } from '../mark.ts';
import type { NewestColumns } from './newest.ts';

/**
 * All that the score of an agent or a record needs: the sums of v1, and a mark for each root. Plain JSON; its size depends on the number of roots that
 * were ever heard, not of reviews.
 */
export type EvidenceV2 = {
  sums: AgentEvidence;
  /** Parallel to the roots of `sums`. */
  marks: readonly Mark[];
  /** In alphabetical order, the marks of roots of which nothing counts any more: a root's mark is kept for good. */
  formerMarks: readonly (readonly [root: string, mark: Mark])[];
  /** Follows from `sums` (`newestOf`): it need not be stored. */
  newest: NewestColumns;
};

/** Evidence without reviews. `prior` is the agent's base, or that of records. */
export function initialEvidenceV2(prior: number): EvidenceV2 {
  return {
    sums: initialEvidence(prior),
    marks: [],
    formerMarks: [],
    newest: { at: [], weights: [], opinions: [] },
  };
}
