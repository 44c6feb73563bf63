import type { RecentReview } from '../../v1/incremental/evidence.ts';
import { indexOfRoot } from '../../v1/incremental/root-table.ts';
import { decayAt, scaleOf, weightAt } from '../../v1/incremental/scale.ts';
import { counts } from '../../v1/review.ts';
import type { RulesV2 } from '../rules.ts';
import type { RecentSums } from '../view.ts';
import type { EvidenceV2 } from './evidence.ts';

/** A selected review, the place of its main root, and `k`: the newer ones of its reviewer among the selected. */
export type Selected = { review: RecentReview; place: number; newer: number };

/** How many recent reviews of each root are looked at. */
export function recentPerRoot(rootsWithRecent: number, { recentPerRootMax, recentMax }: RulesV2): number {
  return Math.max(1, Math.min(recentPerRootMax, Math.floor(recentMax / rootsWithRecent)));
}

/**
 * The sums of the recent reviews: of each root that has some, as many of the newest as leave about 24 (`recentMax`) of all, at least one and at most
 * three. As if the root at `leftOut` had none. Null if there are none.
 */
export function recentSums(evidence: EvidenceV2, leftOut: number, rules: RulesV2): RecentSums {
  const newest = sumsOfNewest(evidence, leftOut, rules);
  if (newest.rootsWithRecent === 0) return null;
  const perRoot = recentPerRoot(newest.rootsWithRecent, rules);
  if (perRoot === 1 && !newest.hasRoaming) return newest;
  return sumsOfSelected(evidence, selectRecent(evidence, leftOut, perRoot, rules), rules);
}

/** The sums of the newest review of each root, in one pass. Not right if reviewers of some of them roam over roots, so that `k` is counted over all. */
const sumsOfNewest = (
  { sums, newest }: EvidenceV2,
  leftOut: number,
  rules: RulesV2,
): NonNullable<RecentSums> & { rootsWithRecent: number; hasRoaming: boolean } => {
  const now = sums.newestAt ?? 0;
  const { recentAgeMsMax, badBelow } = rules;
  const decay = decayAt(now, sums.epoch, rules);
  const { at, opinions } = newest;
  // Copies of columns are much cheaper than new lists.
  const weights = newest.weights.slice();
  const values = opinions.slice();
  const others: Selected[] = [];
  let rootsWithRecent = 0;
  let badRoots = 0;
  for (let place = 0; place < at.length; place += 1) {
    if (now - (at[place] ?? 0) > recentAgeMsMax || place === leftOut) {
      weights[place] = 0;
      values[place] = 0;
      continue;
    }
    rootsWithRecent += 1;
    const opinion = opinions[place] ?? 0;
    if (opinion < badBelow) badRoots += 1;
    let weight = (weights[place] ?? 0) * decay;
    if (weight < 0) {
      const review = sums.recent[place]?.at(-1);
      if (review !== undefined) others.push({ review, place, newer: 0 });
      weight = 0;
    }
    weights[place] = weight;
    values[place] = weight * opinion;
  }
  for (const selected of others) addSelected({ weights, values }, selected, sums, decay, rules);
  return { weights, values, badRoots, rootsWithRecent, hasRoaming: others.some(({ review }) => review.roams) };
};

/** The recent reviews behind `recentSums`, of all roots. */
export function recentReviews(evidence: EvidenceV2, leftOut: number, rules: RulesV2): Selected[] {
  const { rootsWithRecent } = sumsOfNewest(evidence, leftOut, rules);
  if (rootsWithRecent === 0) return [];
  return selectRecent(evidence, leftOut, recentPerRoot(rootsWithRecent, rules), rules);
}

const selectRecent = ({ sums, newest }: EvidenceV2, leftOut: number, perRoot: number, rules: RulesV2): Selected[] => {
  const now = sums.newestAt ?? 0;
  const selected: Selected[] = [];
  let hasRoaming = false;
  for (let place = 0; place < newest.at.length; place += 1) {
    if (now - (newest.at[place] ?? 0) > rules.recentAgeMsMax || place === leftOut) continue;
    const reviews = sums.recent[place] ?? [];
    for (let index = reviews.length - 1; index >= Math.max(0, reviews.length - perRoot); index -= 1) {
      const review = reviews[index];
      if (review === undefined || now - review.at > rules.recentAgeMsMax) break;
      let newer = 0;
      for (let later = index + 1; later < reviews.length; later += 1) {
        if (reviews[later]?.reviewer === review.reviewer) newer += 1;
      }
      hasRoaming ||= review.roams;
      selected.push({ review, place, newer });
    }
  }
  return hasRoaming ? countedOverRoots(selected) : selected;
};

/** Reviews of one reviewer stand with several roots, so `k` is counted over all. */
const countedOverRoots = (selected: readonly Selected[]): Selected[] => {
  const newer = new Map<string, number>();
  return selected
    .toSorted((a, b) => b.review.sequence - a.review.sequence)
    .map(({ review, place }) => {
      const count = newer.get(review.reviewer) ?? 0;
      newer.set(review.reviewer, count + 1);
      return { review, place, newer: count };
    });
};

const sumsOfSelected = ({ sums }: EvidenceV2, selected: readonly Selected[], rules: RulesV2): RecentSums => {
  const decay = decayAt(sums.newestAt ?? 0, sums.epoch, rules);
  const [weights, values] = [sums.roots.map(() => 0), sums.roots.map(() => 0)];
  const bad = new Set<number>();
  for (const each of selected) {
    if (each.review.value < rules.badBelow) bad.add(each.place);
    addSelected({ weights, values }, each, sums, decay, rules);
  }
  return { weights, values, badRoots: bad.size };
};

const addSelected = (
  { weights, values }: { weights: number[]; values: number[] },
  { review, place, newer }: Selected,
  { roots, epoch, newestAt }: EvidenceV2['sums'],
  decay: number,
  rules: RulesV2,
): void => {
  const weight = review.unit * scaleOf(review, newer, epoch, rules) * decay;
  // The exact expression decides only if the quick one is close to the limit.
  if (weight <= rules.nearMinimum && !counts(weightAt(review, newer, newestAt ?? 0, rules), rules)) return;
  for (const [root, share] of review.roots) {
    const at = review.roots.length === 1 ? place : indexOfRoot(roots, root);
    weights[at] = (weights[at] ?? 0) + weight * share;
    values[at] = (values[at] ?? 0) + weight * share * review.value;
  }
};
