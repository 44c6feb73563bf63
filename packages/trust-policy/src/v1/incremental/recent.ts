import type { RecentReview } from './evidence.ts';
import type { RootTable } from './root-table.ts';

/**
 * Puts a new review among the recent ones of the root that it counts for, and out the oldest of them when there would be more
 * than a root may have (v1: 3).
 *
 * `k` is counted among the recent reviews: it rises by one for those of the same reviewer, under whatever root, and falls by
 * one for the older ones of the reviewer whose review was put out. A review that is only too old takes nothing from another's
 * `k`, since all that are older than it are too old as well; such reviews are skipped, and stay until none of their root's is recent.
 * Other roots are looked through only where the reviews of one reviewer roam over several roots.
 */
export function admitRecent(table: RootTable, root: string, review: Omit<RecentReview, 'newer'>): void {
  for (const [named] of review.roots) table.placeOf(named);
  const before = table.recentOf(root);
  const putOut = before.length >= table.rules.recentPerRootMax ? before[0] : undefined;
  const kept = putOut === undefined ? before : before.slice(1);
  if (review.roams || putOut?.roams === true) {
    table.changeRecentBut(root, (recent) => recount(recent, review.reviewer, putOut));
  }
  table.setRecent(root, [...recount(kept, review.reviewer, putOut), { ...review, newer: 0 }]);
}

const recount = (
  recent: readonly RecentReview[],
  reviewer: string,
  putOut: RecentReview | undefined,
): readonly RecentReview[] => {
  let counted: RecentReview[] | undefined;
  for (let index = 0; index < recent.length; index += 1) {
    const review = recent[index];
    if (review === undefined) continue;
    let change = review.reviewer === reviewer ? 1 : 0;
    if (putOut !== undefined && review.reviewer === putOut.reviewer && review.sequence < putOut.sequence) change -= 1;
    if (change === 0) continue;
    counted ??= recent.slice();
    counted[index] = { ...review, newer: review.newer + change };
  }
  return counted ?? recent;
};
