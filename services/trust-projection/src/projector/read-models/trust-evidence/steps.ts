import { type AgentEvidence, type AppliedReview, indexOfRoot, type RecentReview } from '@agent-trust/trust-policy';
import {
  columnsOf,
  type PackedEvidence,
  type PackedReview,
  type PackedRoot,
  packReview,
  packRoot,
  rootAt,
  type RootState,
  unpackEvidence,
  unpackReview,
  unpackRoot,
} from './pack-evidence.ts';

/** A recent review that the evidence before has, too, is named by its number. */
type RecentAfter = PackedReview | [sequence: number, newer: number];

/** What a review changed. */
export type PackedChange = [
  newestAt: number | null,
  epoch: number,
  /** Roots of which anything changed, as they are after it. */
  changed: PackedRoot<RecentAfter>[],
  /** Roots that are no more. */
  removed: string[],
];

/**
 * What leads from the evidence before a review to that after it, as one text.
 *
 * @param changedRoots in alphabetical order, those that may differ; null if all may
 */
export function changeText(
  before: AgentEvidence,
  after: AgentEvidence,
  changedRoots: AppliedReview['changedRoots'],
): string {
  return JSON.stringify(packedChange(before, after, changedRoots));
}

/** The same as a list. */
export function packedChange(
  before: AgentEvidence,
  after: AgentEvidence,
  changedRoots: AppliedReview['changedRoots'],
): PackedChange {
  const changed: PackedRoot<RecentAfter>[] = [];
  const removed: string[] = [];
  for (const root of changedRoots ?? new Set([...before.roots, ...after.roots].sort())) {
    const place = indexOfRoot(after.roots, root);
    const placeBefore = indexOfRoot(before.roots, root);
    const isKept = before.roots[placeBefore] === root;
    if (after.roots[place] !== root) {
      if (isKept) removed.push(root);
    } else if (!isKept || isChanged(before, placeBefore, after, place)) {
      const recentBefore = isKept ? (before.recent[placeBefore] ?? []) : [];
      changed.push(packRoot(rootAt(after, place), (review) => recentAfter(review, recentBefore)));
    }
  }
  return [after.newestAt, after.epoch, changed, removed];
}

/** Whether a root differs before and after a review. What is computed from the recent reviews changes with their list and the epoch. */
const isChanged = (before: AgentEvidence, place: number, after: AgentEvidence, placeAfter: number): boolean =>
  before.weights[place] !== after.weights[placeAfter] ||
  before.weightErrors[place] !== after.weightErrors[placeAfter] ||
  before.values[place] !== after.values[placeAfter] ||
  before.valueErrors[place] !== after.valueErrors[placeAfter] ||
  before.live[place] !== after.live[placeAfter] ||
  before.epoch !== after.epoch ||
  // A review leaves the lists that it does not change as they are, so being another list is enough to be written.
  before.recent[place] !== after.recent[placeAfter];

const recentAfter = (review: RecentReview, before: readonly RecentReview[]): RecentAfter =>
  before.some(({ sequence }) => sequence === review.sequence) ? [review.sequence, review.newer] : packReview(review);

/**
 * The evidence after the last of some steps.
 *
 * @param texts the whole evidence as `packEvidence` writes it, then what each review since then changed, as `changeText` does; separated by commas
 */
export function evidenceAfter(texts: string): AgentEvidence {
  const [whole, ...changes] = JSON.parse(`[${texts}]`) as [PackedEvidence, ...PackedChange[]];
  return afterChanges(whole, changes);
}

/** The same from the lists themselves. */
export function afterChanges(whole: PackedEvidence, changes: readonly PackedChange[]): AgentEvidence {
  const evidence = unpackEvidence(whole);
  if (changes.length === 0) return evidence;
  const roots = new Map(evidence.roots.map((root, place) => [root, rootAt(evidence, place)]));
  let { newestAt, epoch } = evidence;
  for (const [newestAfter, epochAfter, changed, removed] of changes) {
    [newestAt, epoch] = [newestAfter, epochAfter];
    for (const root of removed) roots.delete(root);
    for (const packed of changed) roots.set(packed[0], changedRoot(packed, roots.get(packed[0])));
  }
  const sorted = [...roots.values()].sort((a, b) => (a.root < b.root ? -1 : 1));
  const reviewCount = evidence.reviewCount + changes.length;
  return { prior: evidence.prior, newestAt, epoch, reviewCount, ...columnsOf(sorted) };
}

const changedRoot = (packed: PackedRoot<RecentAfter>, before: RootState | undefined): RootState =>
  unpackRoot(packed, (recent) => {
    if (recent.length !== 2) return unpackReview(recent);
    const [sequence, newer] = recent;
    const kept = before?.recent.find((review) => review.sequence === sequence);
    if (kept === undefined)
      throw new Error(`recent review ${sequence} of root ${packed[0]} is not in the evidence before`);
    return { ...kept, newer };
  });
