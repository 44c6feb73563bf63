import type { HeldReview, RecentReview, RootEvidence } from './evidence.ts';
import { WEIGHT_MIN } from '../constants.ts';
import { powerOfTwo, scaleOf } from './scale.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A draft of the roots of one agent's evidence: what it was made from stays as it is; a root is copied when it is first
 * written to.
 */
export class RootTable {
  readonly epoch: number;
  private readonly original: readonly RootEvidence[];
  private readonly draft: Mutable<RootEvidence>[];
  /** The root written to last: the reviews of one pair mostly have the same. */
  private last: Mutable<RootEvidence> | undefined;
  private readonly copied = new Set<Mutable<RootEvidence>>();

  /** The sums move from `fromEpoch` to `epoch`, which is exact: all of them are multiplied by one power of two. */
  constructor(roots: readonly RootEvidence[], fromEpoch: number, epoch: number) {
    this.epoch = epoch;
    this.original = roots;
    this.draft = roots.slice();
    if (roots.length > 0 && epoch !== fromEpoch) this.rescale(powerOfTwo(fromEpoch - epoch));
  }

  get roots(): readonly RootEvidence[] {
    return this.draft;
  }

  /** Adds `factor` times a review's units to the sums of its roots; `liveChange` counts it in (1), out (−1) or neither (0). */
  add(review: HeldReview, factor: number, liveChange: -1 | 0 | 1): void {
    for (let place = 0; place < review.roots.length; place += 1) {
      const part = review.roots[place];
      if (part === undefined) continue;
      const evidence = this.forWriting(part[0]);
      const unit = review.unit * part[1];
      evidence.live += liveChange;
      if (evidence.live === 0) clearSums(evidence);
      else addTo(evidence, unit * factor, unit * review.value * factor);
    }
  }

  setRecent(root: string, recent: readonly RecentReview[]): void {
    const evidence = this.forWriting(root);
    evidence.recent = recent;
    const plain = recent.length > 0 && recent.every(isPlain);
    evidence.plainFrom = plain ? (recent[0]?.at ?? null) : null;
    evidence.recentWeight = 0;
    evidence.recentSum = 0;
    if (!plain) return;
    for (const review of recent) {
      const weight = review.unit * scaleOf(review, review.newer, this.epoch);
      evidence.recentWeight += weight;
      evidence.recentSum += weight * review.value;
    }
  }

  /** The recent reviews of a root, oldest first. */
  recentOf(root: string): readonly RecentReview[] {
    return this.draft[indexOfRoot(this.draft, root)]?.recent ?? [];
  }

  /** The root's evidence, made when there is none. */
  forWriting(root: string): Mutable<RootEvidence> {
    if (this.last?.root === root) return this.last;
    this.last = this.findForWriting(root);
    return this.last;
  }

  private findForWriting(root: string): Mutable<RootEvidence> {
    const index = indexOfRoot(this.draft, root);
    const found = this.draft[index];
    if (found === undefined || found.root !== root) {
      const made = { root, weight: 0, weightError: 0, sum: 0, sumError: 0, live: 0, ...NO_RECENT };
      this.draft.splice(index, 0, made);
      this.copied.add(made);
      return made;
    }
    if (this.copied.has(found)) return found;
    const copy = { ...found };
    this.draft[index] = copy;
    this.copied.add(copy);
    return copy;
  }

  private rescale(factor: number): void {
    this.original.forEach((found, index) => {
      const copy = {
        ...found,
        weight: found.weight * factor,
        weightError: found.weightError * factor,
        sum: found.sum * factor,
        sumError: found.sumError * factor,
        recentWeight: found.recentWeight * factor,
        recentSum: found.recentSum * factor,
      };
      this.draft[index] = copy;
      this.copied.add(copy);
    });
  }
}

/** Whether a review has one whole root and weighs enough to count as long as it is recent: its unit is twice its base at most. */
const isPlain = (review: RecentReview): boolean =>
  review.roots.length === 1 &&
  review.roots[0]?.[1] === 1 &&
  review.unit * powerOfTwo(-review.newer - 2) > WEIGHT_MIN * 1.001;

const NO_RECENT = { recent: [], plainFrom: null, recentWeight: 0, recentSum: 0 };

/** Place of a root in the alphabetical list, or the place where it belongs. */
export const indexOfRoot = (roots: readonly RootEvidence[], root: string): number => {
  let low = 0;
  let high = roots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = roots[middle];
    if (at !== undefined && at.root < root) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Neumaier's summation: the error of each addition is kept beside the sum. */
const addTo = (evidence: Mutable<RootEvidence>, weight: number, value: number): void => {
  const weightBefore = evidence.weight;
  evidence.weight = weightBefore + weight;
  evidence.weightError += errorOf(weightBefore, weight, evidence.weight);
  const sumBefore = evidence.sum;
  evidence.sum = sumBefore + value;
  evidence.sumError += errorOf(sumBefore, value, evidence.sum);
};

const errorOf = (a: number, b: number, total: number): number =>
  Math.abs(a) >= Math.abs(b) ? a - total + b : b - total + a;

const clearSums = (evidence: Mutable<RootEvidence>): void => {
  evidence.weight = 0;
  evidence.weightError = 0;
  evidence.sum = 0;
  evidence.sumError = 0;
};
