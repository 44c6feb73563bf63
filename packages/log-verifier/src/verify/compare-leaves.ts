import { sameHash } from '@agent-trust/transparency-log';

/** What was done to a log at a place, by its leaves and the tree's. Indices count from the beginning of what was compared. */
export type LeafDifference =
  | { kind: 'changed'; at: number[] }
  | { kind: 'missing'; at: number; count: number }
  | { kind: 'added'; at: number; count: number };

/**
 * What was done first. When the leaves fit again, shifted, events are missing or were added; else those that differ were changed.
 *
 * @param own The log's leaves, and some that follow.
 * @param wanted The tree's, and some that follow.
 * @param count How many of them are compared; the rest only reveals a shift.
 * @param shiftMax The longest shift that is looked for.
 */
export function compareLeaves(
  own: readonly Uint8Array[],
  wanted: readonly Uint8Array[],
  count: number,
  shiftMax: number,
): LeafDifference | null {
  const differs = (at: number): boolean => !same(own[at], wanted[at]);
  const compared = Math.min(count, own.length, wanted.length);
  let first = 0;
  while (first < compared && !differs(first)) first += 1;
  if (first === compared) return null;
  for (let shift = 1; shift <= shiftMax; shift += 1) {
    if (fits(own, first, wanted, first + shift)) return { kind: 'missing', at: first, count: shift };
    if (fits(wanted, first, own, first + shift)) return { kind: 'added', at: first, count: shift };
  }
  const at = Array.from({ length: compared - first }, (_, offset) => first + offset).filter(differs);
  return { kind: 'changed', at };
}

/** Leaves are alike from here on, as far as both go: at least one of them. */
const fits = (one: readonly Uint8Array[], oneAt: number, other: readonly Uint8Array[], otherAt: number): boolean => {
  const length = Math.min(one.length - oneAt, other.length - otherAt);
  if (length < 1) return false;
  for (let at = 0; at < length; at += 1) if (!same(one[oneAt + at], other[otherAt + at])) return false;
  return true;
};

const same = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && sameHash(one, other);
