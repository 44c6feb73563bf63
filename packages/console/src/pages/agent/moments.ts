import type { TrustChange } from '@agent-trust/client';

type Change = Pick<TrustChange, 'at' | 'position'>;

/** The last change at or before a moment: its place in the list; -1 before the first. @param asOf a position, or an RFC 3339 time */
export function changeAt(asOf: string, changes: readonly Change[]): number {
  const isAtOrBefore = /^\d+$/u.test(asOf)
    ? ({ position }: Change) => BigInt(position) <= BigInt(asOf)
    : ({ at }: Change) => Date.parse(at) <= Date.parse(asOf);
  return changes.findLastIndex(isAtOrBefore);
}

/** The time of a moment, as far as the changes tell it; undefined for now. */
export function momentMs(asOf: string | undefined, changes: readonly Change[]): number | undefined {
  if (asOf === undefined) return undefined;
  if (!/^\d+$/u.test(asOf)) return Date.parse(asOf);
  const at = changes[changeAt(asOf, changes)]?.at;
  return at === undefined ? undefined : Date.parse(at);
}
