import type { Rules } from '../rules.ts';
import {
  type HeldReview,
  mapColumns,
  NOT_PLAIN,
  noReviews,
  type RecentReview,
  type RootColumns,
  type RootDraft,
} from './evidence.ts';
import { powerOfTwo, scaleOf } from './scale.ts';

/** A draft of the roots of one agent's evidence. Its columns are copied once: by the first change, or with the root that the first change adds. */
export class RootTable {
  readonly epoch: number;
  readonly rules: Rules;
  /** The roots whose places may differ from those of the given columns. */
  readonly touched: Set<string> = new Set();
  /** All roots may differ: the sums have moved to another epoch. */
  readonly isRescaled: boolean;
  /** A root was added. */
  hasNewRoots = false;
  private readonly given: RootColumns;
  private draft: RootDraft | null = null;
  /** Place of the last requested root: most reviews of one pair have the same. */
  private lastPlace = -1;

  /** The sums move from `fromEpoch` to `epoch`, which is exact: all of them are multiplied by one power of two. */
  constructor(columns: RootColumns, fromEpoch: number, epoch: number, rules: Rules) {
    this.epoch = epoch;
    this.rules = rules;
    this.given = columns;
    this.isRescaled = columns.roots.length > 0 && epoch !== fromEpoch;
    if (this.isRescaled) this.rescale(powerOfTwo(fromEpoch - epoch));
  }

  /** The current columns. Do not change the table afterwards, except by `forgetRecent`. */
  columns(): RootColumns {
    return this.own();
  }

  /** Adds `factor` times a review's units to the sums of its roots; `liveChange` counts it in (1), out (−1) or neither (0). */
  add(review: HeldReview, factor: number, liveChange: -1 | 0 | 1): void {
    for (let part = 0; part < review.roots.length; part += 1) {
      const [root, share] = review.roots[part] ?? NO_SHARE;
      const place = this.placeOf(root);
      const draft = this.own();
      this.touched.add(root);
      const unit = review.unit * share;
      const live = (draft.live[place] ?? 0) + liveChange;
      draft.live[place] = live;
      if (live === 0) clear(draft, place);
      else {
        addTo(draft.weights, draft.weightErrors, place, unit * factor);
        addTo(draft.values, draft.valueErrors, place, unit * review.value * factor);
      }
    }
  }

  recentOf(root: string): readonly RecentReview[] {
    const place = this.placeOf(root);
    return this.current().recent[place] ?? [];
  }

  setRecent(root: string, recent: readonly RecentReview[]): void {
    const place = this.placeOf(root);
    this.touched.add(root);
    const plain = recent.length > 0 && recent.every((review) => isPlain(review, this.rules));
    let [weightSum, valueSum] = [0, 0];
    for (const review of plain ? recent : []) {
      const weight = review.unit * scaleOf(review, review.newer, this.epoch, this.rules);
      weightSum += weight;
      valueSum += weight * review.value;
    }
    const draft = this.own();
    draft.recent[place] = recent;
    draft.plainFrom[place] = plain ? (recent[0]?.at ?? NOT_PLAIN) : NOT_PLAIN;
    draft.recentWeights[place] = weightSum;
    draft.recentValues[place] = valueSum;
  }

  /** Forgets the reviews of a place once none of them is recent. */
  forgetRecent(place: number): void {
    const draft = this.own();
    this.touched.add(draft.roots[place] ?? '');
    draft.recent[place] = noReviews;
    draft.plainFrom[place] = NOT_PLAIN;
    draft.recentWeights[place] = 0;
    draft.recentValues[place] = 0;
  }

  /** Applies `change` to the recent reviews of all roots but one. */
  changeRecentBut(root: string, change: (recent: readonly RecentReview[]) => readonly RecentReview[]): void {
    const { roots, recent } = this.own();
    recent.forEach((before, place) => {
      const other = roots[place];
      if (other === undefined || other === root) return;
      const after = change(before);
      if (after !== before) this.setRecent(other, after);
    });
  }

  /** Place of a root, which is added if it is missing. */
  placeOf(root: string): number {
    const { roots } = this.current();
    if (roots[this.lastPlace] === root) return this.lastPlace;
    const place = indexOfRoot(roots, root);
    if (roots[place] !== root) this.insert(place, root);
    this.lastPlace = place;
    return place;
  }

  private insert(place: number, root: string): void {
    // `splice` would reserve room for many more in each column that it lengthens.
    this.draft = mapColumns(this.current(), (column, empty) => column.toSpliced(place, 0, empty));
    this.draft.roots[place] = root;
    this.hasNewRoots = true;
    this.touched.add(root);
  }

  private current(): RootColumns {
    return this.draft ?? this.given;
  }

  /** Columns that may be changed. */
  private own(): RootDraft {
    this.draft ??= mapColumns(this.given, (column) => column.slice());
    return this.draft;
  }

  private rescale(factor: number): void {
    const { weights, weightErrors, values, valueErrors, recentWeights, recentValues } = this.own();
    for (const column of [weights, weightErrors, values, valueErrors, recentWeights, recentValues]) {
      // Adding 0 turns -0, which JSON cannot represent and an underflow may leave, into 0.
      for (let place = 0; place < column.length; place += 1) column[place] = (column[place] ?? 0) * factor + 0;
    }
  }
}

/**
 * Adds a new review to the recent ones of its main root, and removes the oldest if a root would have too many (v1: 3).
 *
 * `k` is counted among the recent reviews: it rises by one for those of the same reviewer, under any root, and falls by one for the older ones of the
 * reviewer whose review was removed. A review that has become too old does not change any `k`, because all older ones are too old as well. Other roots
 * are searched only if the reviews of one reviewer roam over several roots.
 */
export function admitRecent(table: RootTable, root: string, review: Omit<RecentReview, 'newer'>): void {
  for (const [named] of review.roots) table.placeOf(named);
  const before = table.recentOf(root);
  const removed = before.length >= table.rules.recentPerRootMax ? before[0] : undefined;
  const kept = removed === undefined ? before : before.slice(1);
  if (review.roams || removed?.roams === true) {
    table.changeRecentBut(root, (recent) => recount(recent, review.reviewer, removed));
  }
  table.setRecent(root, [...recount(kept, review.reviewer, removed), { ...review, newer: 0 }]);
}

const recount = (
  recent: readonly RecentReview[],
  reviewer: string,
  removed: RecentReview | undefined,
): readonly RecentReview[] => {
  let counted: RecentReview[] | undefined;
  for (let index = 0; index < recent.length; index += 1) {
    const review = recent[index];
    if (review === undefined) continue;
    let change = review.reviewer === reviewer ? 1 : 0;
    if (removed !== undefined && review.reviewer === removed.reviewer && review.sequence < removed.sequence)
      change -= 1;
    if (change === 0) continue;
    counted ??= recent.slice();
    counted[index] = { ...review, newer: review.newer + change };
  }
  return counted ?? recent;
};

/** Place of a root in the alphabetical list, or the place where it would be inserted. */
export function indexOfRoot(roots: readonly string[], root: string): number {
  let low = 0;
  let high = roots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = roots[middle];
    if (at !== undefined && at < root) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a review has one whole root, and enough weight to count as long as it is recent. */
const isPlain = (review: RecentReview, rules: Rules): boolean =>
  review.roots.length === 1 &&
  review.roots[0]?.[1] === 1 &&
  review.unit * powerOfTwo(rules.recentUnitExponent - review.newer) > rules.nearMinimum;

const clear = ({ weights, weightErrors, values, valueErrors }: RootDraft, place: number): void => {
  for (const column of [weights, weightErrors, values, valueErrors]) column[place] = 0;
};

/** Neumaier's summation: the error of each addition is kept beside the sum. */
const addTo = (sums: number[], errors: number[], place: number, added: number): void => {
  const before = sums[place] ?? 0;
  const after = before + added;
  const error = Math.abs(before) >= Math.abs(added) ? before - after + added : added - after + before;
  sums[place] = after;
  errors[place] = (errors[place] ?? 0) + error;
};

const NO_SHARE = ['', 0] as const;
