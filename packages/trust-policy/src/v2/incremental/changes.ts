import { compareRoots } from '../../v1/review.ts';
import { type AgentEvidence, mapColumns, type RootColumns } from '../../v1/incremental/evidence.ts';
import { indexOfRoot } from '../../v1/incremental/root-table.ts';
import type { Mark } from '../mark.ts';
import type { TrustPolicyV2 } from '../../policy/trust-policy-v2.ts';
import { rulesOfV2 } from '../rules.ts';
import type { EvidenceV2 } from './evidence.ts';
import { newestOf } from './newest.ts';

type RootRow = { [Name in keyof RootColumns]: RootColumns[Name][number] };

/** What leads from the evidence before a review to that after it. Plain JSON, of the size of the roots that the review names. */
export type EvidenceChange = {
  newestAt: number | null;
  epoch: number;
  /** Roots as they are afterwards, with their marks. */
  changed: (RootRow & { mark: Mark })[];
  /** Roots of which nothing counts any more, with the marks that stay. */
  removed: [root: string, mark: Mark][];
};

/** @param changedRoots those that may differ; null if all may */
export function changeBetween(
  before: EvidenceV2,
  after: EvidenceV2,
  changedRoots: readonly string[] | null,
): EvidenceChange {
  const change: EvidenceChange = {
    newestAt: after.sums.newestAt,
    epoch: after.sums.epoch,
    changed: [],
    removed: [],
  };
  for (const root of changedRoots ?? new Set([...before.sums.roots, ...after.sums.roots])) {
    const place = indexOfRoot(after.sums.roots, root);
    if (after.sums.roots[place] === root)
      change.changed.push({ ...rowAt(after.sums, place), mark: after.marks[place] ?? 0 });
    else if (before.sums.roots[indexOfRoot(before.sums.roots, root)] === root) {
      change.removed.push([root, new Map(after.formerMarks).get(root) ?? 0]);
    }
  }
  return change;
}

/** The evidence after some changes, each of one review: for a past moment. */
export function evidenceAfterChanges(
  start: EvidenceV2,
  changes: readonly EvidenceChange[],
  policy: TrustPolicyV2,
): EvidenceV2 {
  const rows = new Map(
    start.sums.roots.map((root, place) => [root, { ...rowAt(start.sums, place), mark: start.marks[place] ?? 0 }]),
  );
  const former = new Map(start.formerMarks);
  for (const { changed, removed } of changes) {
    for (const [root, mark] of removed) {
      rows.delete(root);
      if (mark !== 0) former.set(root, mark);
    }
    for (const row of changed) {
      rows.set(row.roots, row);
      former.delete(row.roots);
    }
  }
  const sorted = [...rows.values()].sort((a, b) => compareRoots(a.roots, b.roots));
  const { newestAt, epoch } = changes.at(-1) ?? start.sums;
  const { prior, reviewCount } = start.sums;
  const sums = { prior, newestAt, epoch, reviewCount: reviewCount + changes.length, ...columnsOf(sorted) };
  return {
    sums,
    marks: sorted.map(({ mark }) => mark),
    formerMarks: [...former].sort(([a], [b]) => compareRoots(a, b)),
    newest: newestOf(sums, rulesOfV2(policy)),
  };
}

const rowAt = (evidence: AgentEvidence, place: number): RootRow => {
  const row = mapColumns(evidence, (column, empty) => [column[place] ?? empty]);
  return Object.fromEntries(Object.entries(row).map(([name, [value]]) => [name, value])) as RootRow;
};

const columnsOf = (rows: readonly RootRow[]): RootColumns => ({
  roots: rows.map((row) => row.roots),
  live: rows.map((row) => row.live),
  weights: rows.map((row) => row.weights),
  weightErrors: rows.map((row) => row.weightErrors),
  values: rows.map((row) => row.values),
  valueErrors: rows.map((row) => row.valueErrors),
  recent: rows.map((row) => row.recent),
  plainFrom: rows.map((row) => row.plainFrom),
  recentWeights: rows.map((row) => row.recentWeights),
  recentValues: rows.map((row) => row.recentValues),
});
