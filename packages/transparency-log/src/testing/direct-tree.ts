import { emptyRoot, nodeHash } from '../hash/tree-hash.ts';

const splitOf = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);

/** RFC 6962 §2.1 word for word, over leaf hashes: MTH. */
export function directRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return emptyRoot;
  if (leaves.length === 1) return first;
  const k = splitOf(leaves.length);
  return nodeHash(directRoot(leaves.slice(0, k)), directRoot(leaves.slice(k)));
}

/** RFC 6962 §2.1.1: PATH. */
export function directPath(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const k = splitOf(leaves.length);
  return m < k
    ? [...directPath(m, leaves.slice(0, k)), directRoot(leaves.slice(k))]
    : [...directPath(m - k, leaves.slice(k)), directRoot(leaves.slice(0, k))];
}

/** RFC 6962 §2.1.2: PROOF. */
export function directProof(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  return m === 0 ? [] : directSubproof(m, leaves, true);
}

const directSubproof = (m: number, leaves: readonly Uint8Array[], known: boolean): Uint8Array[] => {
  if (m === leaves.length) return known ? [] : [directRoot(leaves)];
  const k = splitOf(leaves.length);
  return m <= k
    ? [...directSubproof(m, leaves.slice(0, k), known), directRoot(leaves.slice(k))]
    : [...directSubproof(m - k, leaves.slice(k), false), directRoot(leaves.slice(0, k))];
};
