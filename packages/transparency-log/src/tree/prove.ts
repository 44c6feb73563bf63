import { emptyRoot, nodeHash } from '../hash/tree-hash.ts';

/** The proof that leaf `index` is in the tree (RFC 6962 §2.1.1), from the leaf up. @throws RangeError if there is no such leaf. */
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
 * The proof that the tree of `to` leaves begins with the one of `from` (RFC 6962 §2.1.2); empty for no leaves and equal sizes.
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

/** A full subtree: 2^level leaves, from leaf `index` · 2^level. */
export type TreeNode = { level: number; index: number };

export type ReadHashes = (nodes: readonly TreeNode[]) => Promise<readonly Uint8Array[]>;

/** Leaves `from` to `to` (exclusive), whose hash is one node of the tree: `from` is a multiple of the smallest power of two that holds them. */
type LeafRange = { from: number; to: number };

/** The largest power of two below `count`, which is 2 or more (RFC 6962 §2.1: k). */
export function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** The full subtrees that a range consists of, largest first. */
const nodesOf = ({ from, to }: LeafRange): TreeNode[] => {
  const nodes: TreeNode[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    let width = 1;
    while (width * 2 <= to - at) {
      width *= 2;
      level += 1;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
};

/** The hash of each range, read by full subtrees, all of them at once. */
const hashesOfRanges = async (ranges: readonly LeafRange[], read: ReadHashes): Promise<Uint8Array[]> => {
  const nodes = ranges.map(nodesOf);
  const hashes = [...(await read(nodes.flat()))];
  if (hashes.length !== nodes.flat().length) throw new RangeError('not every hash of the tree that was asked for came');
  return nodes.map(({ length }) => {
    const own = hashes.splice(0, length);
    return own.length === 0 ? emptyRoot : own.reduceRight((right, left) => nodeHash(left, right));
  });
};

/** The root of the tree over the first `size` leaves, from its stored hashes. */
export async function treeRoot(size: number, read: ReadHashes): Promise<Uint8Array> {
  return (await hashesOfRanges([{ from: 0, to: size }], read))[0] ?? emptyRoot;
}
