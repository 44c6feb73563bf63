import { type AgentEvidence, initialEvidence } from '../../v1/incremental/evidence.ts';
import type { Mark } from '../mark.ts';
import { compareRoots } from '../../v1/review.ts';
import type { RulesV2 } from '../rules.ts';
import { type NewestColumns, newestOf } from './newest.ts';

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

/** The mark of each root that was ever heard by one of its own agents. */
export function marksOf({
  sums,
  marks,
  formerMarks,
}: Pick<EvidenceV2, 'sums' | 'marks' | 'formerMarks'>): Map<string, Mark> {
  const all = new Map(formerMarks);
  sums.roots.forEach((root, place) => {
    const mark = marks[place] ?? 0;
    if (mark !== 0) all.set(root, mark);
  });
  return all;
}

/** Evidence from what is to be stored of it: the sums, and the mark of each root (`marksOf`). */
export function evidenceWithMarks(sums: AgentEvidence, marks: ReadonlyMap<string, Mark>, rules: RulesV2): EvidenceV2 {
  const former = new Map(marks);
  for (const root of sums.roots) former.delete(root);
  return {
    sums,
    marks: sums.roots.map((root) => marks.get(root) ?? 0),
    formerMarks: [...former].sort(([a], [b]) => compareRoots(a, b)),
    newest: newestOf(sums, rules),
  };
}
