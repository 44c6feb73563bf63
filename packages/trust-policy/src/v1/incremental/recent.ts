import type { RecentReview } from './evidence.ts';
import type { RootTable } from './root-table.ts';

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
