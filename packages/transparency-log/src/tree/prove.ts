import { hashesOfRanges, type LeafRange, type ReadHashes, splitOf } from './subtrees.ts';

/**
 * The proof that leaf `index` is in the tree of `size` leaves (RFC 6962 §2.1.1), its hashes from the leaf up.
 *
 * @throws RangeError when there is no such leaf.
 */
export async function inclusionProof(index: number, size: number, read: ReadHashes): Promise<Uint8Array[]> {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const ranges: LeafRange[] = [];
  for (let from = 0, to = size; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return await hashesOfRanges(ranges.reverse(), read);
}

/**
 * The proof that the tree of `from` leaves is the beginning of the one of `to` (RFC 6962 §2.1.2); empty for no leaves and for equal sizes.
 *
 * @throws RangeError unless 0 ≤ from ≤ to.
 */
export async function consistencyProof(from: number, to: number, read: ReadHashes): Promise<Uint8Array[]> {
  if (!Number.isSafeInteger(to) || !Number.isSafeInteger(from) || from < 0 || from > to)
    throw new RangeError(`a tree of ${from} leaves is not the beginning of one of ${to}`);
  if (from === 0 || from === to) return [];
  const ranges: LeafRange[] = [];
  let [start, end] = [0, to];
  while (from !== end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      ranges.push({ from: middle, to: end });
      end = middle;
    } else {
      ranges.push({ from: start, to: middle });
      start = middle;
    }
  }
  // The old root itself is known to who checks, when the old tree is one full subtree.
  if (start > 0) ranges.push({ from: start, to: end });
  return await hashesOfRanges(ranges.reverse(), read);
}
