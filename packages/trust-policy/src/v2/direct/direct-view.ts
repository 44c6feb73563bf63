import { DAY_MS } from '../../v1/constants.ts';
import { compareRoots, counts, mainRoot, reviewValue, reviewWeight, rootShares } from '../../v1/review.ts';
import type { Entry } from '../entry.ts';
import { type Mark, markOf } from '../mark.ts';
import type { RulesV2 } from '../rules.ts';
import type { EvidenceView } from '../view.ts';

/** Evidence as the formula sees it, computed from all its entries as the policy's text says: the reference for the incremental form. */
export function viewOfEntries(entries: readonly Entry[], rules: RulesV2): EvidenceView {
  const dated = inOrder(entries);
  const now = dated.at(-1)?.reviewedAt ?? 0;
  const roots = [...new Set(dated.flatMap((entry) => rootShares(entry.roots).map(([root]) => root)))].sort(
    compareRoots,
  );
  const marks = new Map<string, Mark>();
  for (const { own, ...entry } of dated) {
    if (own !== null)
      marks.set(own.organisation, markOf(own.isEstablished, reviewValue(entry, rules) >= rules.badBelow));
  }
  return {
    hasReviews: dated.length > 0,
    roots,
    ...sumsOf(dated, now, roots, rules),
    marks: roots.map((root) => marks.get(root) ?? 0),
    recent: (leftOut) => {
      const selected = recentEntries(
        dated.filter((entry) => mainOf(entry) !== roots[leftOut]),
        now,
        rules,
      );
      if (selected.length === 0) return null;
      const bad = selected.filter((entry) => reviewValue(entry, rules) < rules.badBelow);
      return { ...sumsOf(selected, now, roots, rules), badRoots: new Set(bad.map(mainOf)).size };
    },
  };
}

/** An entry dated before its predecessor counts as made at the same instant: the order of the log is the order of events. */
const inOrder = (entries: readonly Entry[]): Entry[] => {
  let at = Number.NEGATIVE_INFINITY;
  return entries.map((entry) => {
    at = Math.max(at, entry.reviewedAt);
    return { ...entry, reviewedAt: at };
  });
};

const mainOf = (entry: Entry): string => mainRoot(rootShares(entry.roots));

/** The recent entries in the order given: of each of the `g` roots that have some the newest `max(1, min(3, ⌊24/g⌋))`. */
const recentEntries = (entries: readonly Entry[], now: number, rules: RulesV2): Entry[] => {
  const young = entries.filter(({ reviewedAt }) => now - reviewedAt <= rules.recentAgeMsMax);
  const byRoot = Map.groupBy(young, mainOf);
  const perRoot = Math.max(1, Math.min(rules.recentPerRootMax, Math.floor(rules.recentMax / byRoot.size)));
  const chosen = new Set([...byRoot.values()].flatMap((ofRoot) => ofRoot.slice(-perRoot)));
  return young.filter((entry) => chosen.has(entry));
};

/** `W_d` and `W_d·x̄_d`; `k` is counted among these entries. */
const sumsOf = (
  entries: readonly Entry[],
  now: number,
  roots: readonly string[],
  rules: RulesV2,
): { weights: number[]; values: number[] } => {
  const sums = new Map(roots.map((root) => [root, { weight: 0, value: 0 }]));
  const newer = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    const k = newer.get(entry.reviewer) ?? 0;
    newer.set(entry.reviewer, k + 1);
    const value = reviewValue(entry, rules);
    const weight = reviewWeight(entry.trust, k, (now - entry.reviewedAt) / DAY_MS, value, rules);
    if (!counts(weight, rules)) continue;
    for (const [root, share] of rootShares(entry.roots)) {
      const sum = sums.get(root);
      if (sum === undefined) continue;
      sum.weight += weight * share;
      sum.value += weight * share * value;
    }
  }
  const all = [...sums.values()];
  return { weights: all.map(({ weight }) => weight), values: all.map(({ value }) => value) };
};
