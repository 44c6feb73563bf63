import type { TrustChange, TrustHistoryPage } from '@agent-trust/client';
import { changeAt } from './moments.ts';

/** As many changes as a chart shows at once: a page of the registry's. */
export const changesShown = 500;

/** Changes of a score that follow each other, oldest first. */
export type ChangesWindow = {
  changes: readonly TrustChange[];
  /** How many come before them, and how many there are. */
  from: number;
  total: number;
};

export type AskChanges = (page: { offset: number; limit: number }) => Promise<TrustHistoryPage>;

/**
 * Reads the changes up to one of them, or the newest. The registry counts from the oldest, so the newest are asked for by how many there were when it was asked
 * before, and again if there are more by now.
 *
 * @param end How many come before the end of the window; null for the newest.
 * @param known How many there were before; 0 at first.
 */
export async function readChanges(ask: AskChanges, end: number | null, known: number): Promise<ChangesWindow> {
  const from = Math.max(0, (end ?? known) - changesShown);
  const first = await ask({ offset: from, limit: end === null ? changesShown : end - from });
  const total = first.total ?? from + first.history.length;
  if (end !== null || total <= from + first.history.length) return { changes: first.history, from, total };
  const offset = Math.max(0, total - changesShown);
  const { history } = await ask({ offset, limit: changesShown });
  return { changes: history, from: offset, total };
}

/**
 * The changes of a window up to a moment, as a window of the history that ends there; null if the moment lies before or behind those that it has.
 *
 * @param asOf A position, or an RFC 3339 time.
 */
export function changesUntil(asOf: string, { changes, from, total }: ChangesWindow): ChangesWindow | null {
  const count = changeAt(asOf, changes) + 1;
  const endsWithin = count === 0 ? from === 0 : count < changes.length || from + count >= total;
  return endsWithin ? { changes: changes.slice(0, count), from, total: from + count } : null;
}

/**
 * Reads the changes up to a moment. How many there are is found by halves, with a request for each.
 *
 * @param end As above; null for the newest of that moment.
 * @param most How many there are up to now.
 */
export async function readChangesUntil(
  ask: AskChanges,
  asOf: string,
  end: number | null,
  most: number,
): Promise<ChangesWindow> {
  let [total, above] = [0, most];
  while (total < above) {
    const middle = Math.floor((total + above) / 2);
    const { history } = await ask({ offset: middle, limit: 1 });
    if (changeAt(asOf, history) === 0) total = middle + 1;
    else above = middle;
  }
  if (total === 0) return { changes: [], from: 0, total };
  return { ...(await readChanges(ask, Math.min(end ?? total, total), 0)), total };
}

/** The end of the window after this one; null if that has the newest. */
export function newerEnd({ from, changes, total }: ChangesWindow): number | null {
  const end = from + changes.length + changesShown;
  return end >= total ? null : end;
}
