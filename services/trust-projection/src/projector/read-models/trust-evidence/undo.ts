import type { AgentEvidence, RecentReview } from '@agent-trust/trust-policy';
import {
  columnsOf,
  type PackedReview,
  type PackedRoot,
  packReview,
  packRoot,
  rootAt,
  type RootState,
  unpackReview,
  unpackRoot,
} from './pack-evidence.ts';

/** A score as it was published, and before rounding. */
export type ScoredAs = { trustScore: number; unrounded: number };

/** A recent review that the evidence after has, too, is named by its number. */
type RecentBefore = PackedReview | [sequence: number, newer: number];

type Line = [
  /** Position of the review that this undoes. */
  until: string,
  trustScore: number,
  unrounded: number,
  prior: number,
  newestAt: number | null,
  epoch: number,
  /** Roots of which anything differed, as they were. */
  changed: PackedRoot<RecentBefore>[],
  /** Roots that there were none of. */
  added: string[],
];

/** One line that leads from the evidence after a review back to that before it, and says what score that came to. */
export function undoLine(until: bigint, scored: ScoredAs, before: AgentEvidence, after: AgentEvidence): string {
  const changed: PackedRoot<RecentBefore>[] = [];
  const added: string[] = [];
  let place = 0;
  let placeAfter = 0;
  // Both lists of roots are in alphabetical order.
  while (place < before.roots.length || placeAfter < after.roots.length) {
    const root = before.roots[place];
    const rootAfter = after.roots[placeAfter];
    if (root === undefined || (rootAfter !== undefined && rootAfter < root)) {
      if (rootAfter !== undefined) added.push(rootAfter);
      placeAfter += 1;
      continue;
    }
    const isKept = root === rootAfter;
    if (!isKept || isChanged(before, place, after, placeAfter)) {
      const recentAfter = isKept ? (after.recent[placeAfter] ?? []) : [];
      changed.push(packRoot(rootAt(before, place), (review) => recentBefore(review, recentAfter)));
    }
    place += 1;
    if (isKept) placeAfter += 1;
  }
  const line: Line = [
    String(until),
    scored.trustScore,
    scored.unrounded,
    before.prior,
    before.newestAt,
    before.epoch,
    changed,
    added,
  ];
  return JSON.stringify(line);
}

/** Whether a root differs before and after a review. What is computed from the recent reviews changes with their list and the epoch. */
const isChanged = (before: AgentEvidence, place: number, after: AgentEvidence, placeAfter: number): boolean =>
  before.weights[place] !== after.weights[placeAfter] ||
  before.weightErrors[place] !== after.weightErrors[placeAfter] ||
  before.values[place] !== after.values[placeAfter] ||
  before.valueErrors[place] !== after.valueErrors[placeAfter] ||
  before.live[place] !== after.live[placeAfter] ||
  before.epoch !== after.epoch ||
  // A review leaves the lists that it does not change as they are, so being another list is enough to be written. `!==` would fetch each
  // list from memory to see what it is, for every root of every review, which is most of the time of a replay; `Object.is` does not.
  !Object.is(before.recent[place], after.recent[placeAfter]);

const recentBefore = (review: RecentReview, after: readonly RecentReview[]): RecentBefore =>
  after.some(({ sequence }) => sequence === review.sequence) ? [review.sequence, review.newer] : packReview(review);

/** What held at a position: the score, and the evidence that it came from. */
export type EvidenceAt = ScoredAs & { evidence: AgentEvidence };

/** The score of the oldest line that undoes a review after a position; null when there is none. Spares the evidence to who needs none. */
export function scoredAt(undo: string, position: bigint): ScoredAs | null {
  const [oldest] = linesAfter(undo, position);
  return oldest === undefined ? null : { trustScore: oldest[1], unrounded: oldest[2] };
}

/** Goes back to what held at a position. `present` is the evidence after the last of the lines, with its score. */
export function undoTo(position: bigint, present: EvidenceAt, undo: string): EvidenceAt {
  const lines = linesAfter(undo, position);
  const [oldest] = lines;
  if (oldest === undefined) return present;
  const { evidence } = present;
  const roots = new Map(evidence.roots.map((root, place) => [root, rootAt(evidence, place)]));
  for (const [, , , , , , changed, added] of lines.toReversed()) {
    for (const root of added) roots.delete(root);
    for (const packed of changed) roots.set(packed[0], restoredRoot(packed, roots.get(packed[0])));
  }
  const sorted = [...roots.values()].sort((a, b) => (a.root < b.root ? -1 : 1));
  const [, trustScore, unrounded, prior, newestAt, epoch] = oldest;
  const reviewCount = evidence.reviewCount - lines.length;
  return { trustScore, unrounded, evidence: { prior, newestAt, epoch, reviewCount, ...columnsOf(sorted) } };
}

const linesAfter = (undo: string, position: bigint): Line[] => {
  const lines = JSON.parse(`[${undo}]`) as Line[];
  return lines.filter(([until]) => BigInt(until) > position);
};

const restoredRoot = (packed: PackedRoot<RecentBefore>, after: RootState | undefined): RootState =>
  unpackRoot(packed, (recent) => {
    if (recent.length !== 2) return unpackReview(recent);
    const [sequence, newer] = recent;
    const kept = after?.recent.find((review) => review.sequence === sequence);
    if (kept === undefined)
      throw new Error(`recent review ${sequence} of root ${packed[0]} is not in the evidence after`);
    return { ...kept, newer };
  });
