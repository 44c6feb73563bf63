import type { TrustChange } from '@agent-trust/client';

type Change = Pick<TrustChange, 'at' | 'position'>;

/** The last change at or before a moment: its place in the list; -1 before the first. @param asOf a position, or an RFC 3339 time */
export function changeAt(asOf: string, changes: readonly Change[]): number {
  const isAtOrBefore = /^\d+$/u.test(asOf)
    ? ({ position }: Change) => BigInt(position) <= BigInt(asOf)
    : ({ at }: Change) => Date.parse(at) <= Date.parse(asOf);
  return changes.findLastIndex(isAtOrBefore);
}

/**
 * Where a chart of these changes has its mark; undefined if the moment lies outside of them: they are a part of the history.
 *
 * @param time of the moment, as the registry answered it; undefined for now
 */
export function markMs(
  time: string | undefined,
  { changes, from, total }: { changes: readonly Change[]; from: number; total: number },
): number | undefined {
  if (time === undefined) return undefined;
  const at = Date.parse(time);
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined || at < Date.parse(first.at)) return undefined;
  const isNewest = from + changes.length >= total;
  return isNewest || at <= Date.parse(last.at) ? at : undefined;
}
