import type { Rules } from '../rules.ts';
import { type HeldReview, NOT_PLAIN, type RecentReview, type RootColumns } from './evidence.ts';
import { powerOfTwo, scaleOf } from './scale.ts';

/** A draft of the roots of one agent's evidence. What it was made from stays as it is: the columns are copied. */
export class RootTable {
  readonly epoch: number;
  readonly rules: Rules;
  private roots: string[];
  private live: number[];
  private weights: number[];
  private weightErrors: number[];
  private values: number[];
  private valueErrors: number[];
  private recent: (readonly RecentReview[])[];
  private plainFrom: number[];
  private recentWeights: number[];
  private recentValues: number[];
  /** Place of the root asked for last: the reviews of one pair mostly have the same. */
  private lastPlace = -1;

  /** The sums move from `fromEpoch` to `epoch`, which is exact: all of them are multiplied by one power of two. */
  constructor(columns: RootColumns, fromEpoch: number, epoch: number, rules: Rules) {
    this.epoch = epoch;
    this.rules = rules;
    this.roots = columns.roots.slice();
    this.live = columns.live.slice();
    this.weights = columns.weights.slice();
    this.weightErrors = columns.weightErrors.slice();
    this.values = columns.values.slice();
    this.valueErrors = columns.valueErrors.slice();
    this.recent = columns.recent.slice();
    this.plainFrom = columns.plainFrom.slice();
    this.recentWeights = columns.recentWeights.slice();
    this.recentValues = columns.recentValues.slice();
    if (columns.roots.length > 0 && epoch !== fromEpoch) this.rescale(powerOfTwo(fromEpoch - epoch));
  }

  /** The columns as they now are; the table is not to be written to afterwards. */
  columns(): RootColumns {
    const { roots, live, weights, weightErrors, values, valueErrors, recent, plainFrom, recentWeights, recentValues } =
      this;
    return { roots, live, weights, weightErrors, values, valueErrors, recent, plainFrom, recentWeights, recentValues };
  }

  /** Adds `factor` times a review's units to the sums of its roots; `liveChange` counts it in (1), out (−1) or neither (0). */
  add(review: HeldReview, factor: number, liveChange: -1 | 0 | 1): void {
    for (let part = 0; part < review.roots.length; part += 1) {
      const [root, share] = review.roots[part] ?? NO_SHARE;
      const place = this.placeOf(root);
      const unit = review.unit * share;
      const live = (this.live[place] ?? 0) + liveChange;
      this.live[place] = live;
      if (live === 0) this.clear(place);
      else {
        addTo(this.weights, this.weightErrors, place, unit * factor);
        addTo(this.values, this.valueErrors, place, unit * review.value * factor);
      }
    }
  }

  /** The recent reviews of a root, oldest first. */
  recentOf(root: string): readonly RecentReview[] {
    return this.recent[this.placeOf(root)] ?? [];
  }

  setRecent(root: string, recent: readonly RecentReview[]): void {
    const place = this.placeOf(root);
    const plain = recent.length > 0 && recent.every((review) => isPlain(review, this.rules));
    let [weightSum, valueSum] = [0, 0];
    for (const review of plain ? recent : []) {
      const weight = review.unit * scaleOf(review, review.newer, this.epoch, this.rules);
      weightSum += weight;
      valueSum += weight * review.value;
    }
    this.recent[place] = recent;
    this.plainFrom[place] = plain ? (recent[0]?.at ?? NOT_PLAIN) : NOT_PLAIN;
    this.recentWeights[place] = weightSum;
    this.recentValues[place] = valueSum;
  }

  /** Forgets the recent reviews of a place, none of which is recent any more: nor will one of them be again. */
  forgetRecent(place: number): void {
    this.recent[place] = noReviews;
    this.plainFrom[place] = NOT_PLAIN;
    this.recentWeights[place] = 0;
    this.recentValues[place] = 0;
  }

  /** Sets the recent reviews of all roots but one to what `change` makes of them; what it returns unchanged stays. */
  changeRecentBut(root: string, change: (recent: readonly RecentReview[]) => readonly RecentReview[]): void {
    this.recent.forEach((before, place) => {
      const other = this.roots[place];
      if (other === undefined || other === root) return;
      const after = change(before);
      if (after !== before) this.setRecent(other, after);
    });
  }

  /** Place of a root; it is added when it is not there. */
  placeOf(root: string): number {
    if (this.roots[this.lastPlace] === root) return this.lastPlace;
    const place = indexOfRoot(this.roots, root);
    if (this.roots[place] !== root) this.insert(place, root);
    this.lastPlace = place;
    return place;
  }

  private insert(place: number, root: string): void {
    // Not `splice`: it makes room for many more in each column that it lengthens.
    this.roots = this.roots.toSpliced(place, 0, root);
    this.live = this.live.toSpliced(place, 0, 0);
    this.weights = this.weights.toSpliced(place, 0, 0);
    this.weightErrors = this.weightErrors.toSpliced(place, 0, 0);
    this.values = this.values.toSpliced(place, 0, 0);
    this.valueErrors = this.valueErrors.toSpliced(place, 0, 0);
    this.recent = this.recent.toSpliced(place, 0, noReviews);
    this.plainFrom = this.plainFrom.toSpliced(place, 0, NOT_PLAIN);
    this.recentWeights = this.recentWeights.toSpliced(place, 0, 0);
    this.recentValues = this.recentValues.toSpliced(place, 0, 0);
  }

  private clear(place: number): void {
    this.weights[place] = 0;
    this.weightErrors[place] = 0;
    this.values[place] = 0;
    this.valueErrors[place] = 0;
  }

  private rescale(factor: number): void {
    for (const column of this.scaledColumns()) {
      // A trace below 0 that no double can halve becomes -0, which JSON has not: 0 is added.
      for (let place = 0; place < column.length; place += 1) column[place] = (column[place] ?? 0) * factor + 0;
    }
  }

  private scaledColumns(): number[][] {
    return [this.weights, this.weightErrors, this.values, this.valueErrors, this.recentWeights, this.recentValues];
  }
}

/** The columns without the roots that `keep` refuses. */
export function filterRoots(columns: RootColumns, keep: (place: number) => boolean): RootColumns {
  const kept = <T>(column: readonly T[]): T[] => column.filter((_, place) => keep(place));
  return {
    roots: kept(columns.roots),
    live: kept(columns.live),
    weights: kept(columns.weights),
    weightErrors: kept(columns.weightErrors),
    values: kept(columns.values),
    valueErrors: kept(columns.valueErrors),
    recent: kept(columns.recent),
    plainFrom: kept(columns.plainFrom),
    recentWeights: kept(columns.recentWeights),
    recentValues: kept(columns.recentValues),
  };
}

/** Place of a root in the alphabetical list, or the place where it belongs. */
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

/** Whether a review has one whole root and weighs enough to count as long as it is recent. */
const isPlain = (review: RecentReview, rules: Rules): boolean =>
  review.roots.length === 1 &&
  review.roots[0]?.[1] === 1 &&
  review.unit * powerOfTwo(rules.recentUnitExponent - review.newer) > rules.nearMinimum;

/** Neumaier's summation: the error of each addition is kept beside the sum. */
const addTo = (sums: number[], errors: number[], place: number, added: number): void => {
  const before = sums[place] ?? 0;
  const after = before + added;
  const error = Math.abs(before) >= Math.abs(added) ? before - after + added : added - after + before;
  sums[place] = after;
  errors[place] = (errors[place] ?? 0) + error;
};

const NO_SHARE = ['', 0] as const;

/** One list for all roots that have none: nobody need look into it to know that it is empty. */
const noReviews: readonly RecentReview[] = [];
