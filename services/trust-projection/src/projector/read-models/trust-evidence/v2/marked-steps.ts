import {
  type AgentEvidence,
  type AppliedReview,
  type EvidenceV2,
  evidenceWithMarks,
  marksOf,
  type RulesV2,
} from '@agent-trust/trust-policy';
import { packedEvidence, type PackedEvidence } from '../pack-evidence.ts';
import { afterChanges, packedChange, type PackedChange } from '../steps.ts';

/** What a root's own agents said last, as formula v2 keeps it. */
type PackedMark = [root: string, mark: number];

type WholeStep = [evidence: PackedEvidence, marks: PackedMark[]];
/** A review leaves the mark of one root at most. */
type ChangeStep = [change: PackedChange, mark: PackedMark | null];

/** Evidence of formula v2 as text: the first step of a window. */
export function wholeMarkedText(evidence: EvidenceV2): string {
  const step: WholeStep = [packedEvidence(evidence.sums), [...marksOf(evidence)].sort(([a], [b]) => (a < b ? -1 : 1))];
  return JSON.stringify(step);
}

/** What leads from the evidence before a review to that after it, as text. `root` is the reviewer's organisation, if it has one. */
export function markedChangeText(
  before: EvidenceV2,
  after: EvidenceV2,
  changedRoots: AppliedReview['changedRoots'],
  root: string | null,
): string {
  const mark = root === null ? undefined : marksOf(after).get(root);
  const step: ChangeStep = [
    packedChange(before.sums, after.sums, changedRoots),
    root === null || mark === undefined ? null : [root, mark],
  ];
  return JSON.stringify(step);
}

/** The evidence after the last of some steps; separated by commas, the first of them whole. */
export function markedEvidenceAfter(texts: string, rules: RulesV2): EvidenceV2 {
  const [[whole, first], ...changes] = stepsOf(texts);
  const marks = new Map<string, number>(first);
  for (const [, mark] of changes) if (mark !== null) marks.set(...mark);
  return evidenceWithMarks(sumsOf(whole, changes), marks, rules);
}

/** Its sums alone. */
export function markedSumsAfter(texts: string): AgentEvidence {
  const [[whole], ...changes] = stepsOf(texts);
  return sumsOf(whole, changes);
}

const stepsOf = (texts: string): [WholeStep, ...ChangeStep[]] =>
  JSON.parse(`[${texts}]`) as [WholeStep, ...ChangeStep[]];

const sumsOf = (whole: PackedEvidence, changes: readonly ChangeStep[]): AgentEvidence =>
  afterChanges(
    whole,
    changes.map(([change]) => change),
  );
