import { emptyRoot, hashBytes, nodeHash, sameHash } from '../hash/tree-hash.ts';

/** Hashes of the longest proof: twice the levels of a tree of 2^53 leaves. */
export const proofHashesMax = 106;

export type InclusionClaim = {
  /** From 0. */
  index: number;
  size: number;
  leafHash: Uint8Array;
  root: Uint8Array;
  proof: readonly Uint8Array[];
};

/** Whether the leaf at `index` of the tree with this size and root has this hash (RFC 9162 §2.1.3.2, for trees of RFC 6962). */
export function verifyInclusion({ index, size, leafHash, root, proof }: InclusionClaim): boolean {
  if (!isCount(size) || !isCount(index) || index >= size || !areHashes([leafHash, root, ...proof])) return false;
  let [node, last, hash] = [index, size - 1, leafHash];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      [node, last] = skipLeftEdge(node, last);
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameHash(hash, root);
}

export type ConsistencyClaim = {
  from: number;
  fromRoot: Uint8Array;
  to: number;
  toRoot: Uint8Array;
  proof: readonly Uint8Array[];
};

/** Whether the tree of `from` leaves is the beginning of the one of `to` (RFC 9162 §2.1.4.2, for trees of RFC 6962). Every tree begins with the empty one. */
export function verifyConsistency({ from, fromRoot, to, toRoot, proof }: ConsistencyClaim): boolean {
  if (!isCount(from) || !isCount(to) || from > to || !areHashes([fromRoot, toRoot, ...proof])) return false;
  if (from === to) return proof.length === 0 && sameHash(fromRoot, toRoot);
  if (from === 0) return proof.length === 0 && sameHash(fromRoot, emptyRoot);
  const path = isPowerOfTwo(from) ? [fromRoot, ...proof] : [...proof];
  const first = path.shift();
  if (first === undefined || proof.length === 0) return false;
  let [node, last] = [from - 1, to - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [oldHash, newHash] = [first, first];
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      [node, last] = skipLeftEdge(node, last);
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameHash(oldHash, fromRoot) && sameHash(newHash, toRoot);
}

/** On the right edge a node without a sibling stands for its parents, up to the first that is a right child. */
const skipLeftEdge = (node: number, last: number): [number, number] => {
  let [at, end] = [node, last];
  while (at % 2 === 0 && at !== 0) [at, end] = [half(at), half(end)];
  return [at, end];
};

// Sizes may exceed what the bit operators of ECMAScript hold.
const half = (value: number): number => Math.floor(value / 2);
const isPowerOfTwo = (value: number): boolean => Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const areHashes = (hashes: readonly Uint8Array[]): boolean =>
  hashes.length <= proofHashesMax + 2 && hashes.every(({ length }) => length === hashBytes);
