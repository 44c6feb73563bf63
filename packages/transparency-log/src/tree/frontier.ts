import { emptyRoot, hashBytes, nodeHash } from '../hash/tree-hash.ts';

/** What a tree needs to grow: the roots of the full subtrees that it consists of, largest first; one for each 1 in the binary form of its size. */
export type Frontier = { readonly size: number; readonly hashes: readonly Uint8Array[] };

export const emptyFrontier: Frontier = { size: 0, hashes: [] };

/** Number of full subtrees that a tree of `size` leaves consists of. */
export function subtreeCount(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/**
 * The frontier after one more leaf; the given one stays unchanged.
 * @param onNode receives each node that becomes full, the leaf (level 0) included, with its index in its level.
 */
export function appendLeaf(
  frontier: Frontier,
  leaf: Uint8Array,
  onNode?: (level: number, index: number, hash: Uint8Array) => void,
): Frontier {
  const hashes = [...frontier.hashes];
  let hash = leaf;
  let index = frontier.size;
  onNode?.(0, index, hash);
  for (let level = 1; index % 2 === 1; level += 1) {
    const left = hashes.pop();
    if (left === undefined) throw new RangeError(`a frontier of ${frontier.size} leaves lacks a hash`);
    hash = nodeHash(left, hash);
    index = (index - 1) / 2;
    onNode?.(level, index, hash);
  }
  hashes.push(hash);
  return { size: frontier.size + 1, hashes };
}

export function frontierRoot({ hashes }: Frontier): Uint8Array {
  return hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The hashes as they are kept, one after the other. */
export function frontierBytes({ hashes }: Frontier): Uint8Array {
  const bytes = new Uint8Array(hashes.length * hashBytes);
  for (const [index, hash] of hashes.entries()) bytes.set(hash, index * hashBytes);
  return bytes;
}

/** @throws RangeError when the bytes are not the hashes of a tree of `size` leaves. */
export function frontierOf(size: number, bytes: Uint8Array): Frontier {
  if (!Number.isSafeInteger(size) || size < 0 || bytes.length !== subtreeCount(size) * hashBytes)
    throw new RangeError(`${bytes.length} bytes are no frontier of ${size} leaves`);
  const hashes = Array.from({ length: bytes.length / hashBytes }, (_, index) =>
    bytes.slice(index * hashBytes, (index + 1) * hashBytes),
  );
  return { size, hashes };
}
