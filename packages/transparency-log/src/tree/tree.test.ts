import { createHash } from 'node:crypto';
import { runs } from '@agent-trust/test-kit/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../hash/encoding.ts';
import { emptyRoot, leafHashOfBytes } from '../hash/tree-hash.ts';
import { directPath, directProof, directRoot } from '../testing/direct-tree.ts';
import { type Tile, tileHashes, tileWidth } from '../tiles/tile.ts';
import { appendLeaf, emptyFrontier, type Frontier, frontierBytes, frontierOf, frontierRoot } from './frontier.ts';
import { consistencyProof, inclusionProof, treeRoot } from './prove.ts';
import { verifyConsistency, verifyInclusion } from './verify.ts';

/** Leaves and roots that implementations of Certificate Transparency share as test data. */
const published: [leaf: string, root: string][] = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
];

const leavesOf = (count: number, seed = 'leaf'): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => leafHashOfBytes(new TextEncoder().encode(`${seed} ${index}`)));

/** A tree with its full nodes and its level tiles, as a log stores them. */
const grow = (
  leaves: readonly Uint8Array[],
): { frontier: Frontier; rootOf: (size: number) => Uint8Array; tile: (tile: Tile) => Promise<Uint8Array> } => {
  const nodes = new Map<string, Uint8Array>();
  let frontier = emptyFrontier;
  const frontiers = [frontier];
  for (const leaf of leaves) {
    frontier = appendLeaf(frontier, leaf, (level, index, hash) => nodes.set(`${level}/${index}`, hash));
    frontiers.push(frontier);
  }
  const tile = async ({ level, index, width }: Tile): Promise<Uint8Array> =>
    Uint8Array.from(
      Buffer.concat(
        Array.from({ length: width }, (_, at) => nodes.get(`${level * 8}/${index * tileWidth + at}`) ?? emptyRoot),
      ),
    );
  return { frontier, rootOf: (size) => frontierRoot(frontiers[size] ?? emptyFrontier), tile };
};

describe('the tree of published leaves', () => {
  const leaves = published.map(([leaf]) => leafHashOfBytes(fromHex(leaf)));
  const { rootOf, tile } = grow(leaves);

  it('has the published roots', () => {
    expect(published.map((_, index) => toHex(rootOf(index + 1)))).toEqual(published.map(([, root]) => root));
    expect(toHex(emptyRoot)).toBe(createHash('sha256').digest('hex'));
  });

  it('has the published proofs', async () => {
    const read = tileHashes(8, tile);
    expect((await inclusionProof(0, 8, read)).map(toHex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect((await consistencyProof(1, 8, read)).map(toHex)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
  });
});

describe('a tree of any size', () => {
  it('has the root and the proofs of the recursive definition, and each proof verifies', async () => {
    const small = Array.from({ length: runs(34, 70) }, (_, index) => index + 1);
    for (const size of new Set([...small, 63, 64, 65])) {
      const leaves = leavesOf(size);
      const { frontier, rootOf, tile } = grow(leaves);
      const read = tileHashes(size, tile);
      const root = directRoot(leaves);
      expect(frontierRoot(frontier)).toEqual(root);
      expect(await treeRoot(size, read)).toEqual(root);
      expect(frontierOf(size, frontierBytes(frontier))).toEqual(frontier);
      for (let index = 0; index < size; index += 1) {
        const proof = await inclusionProof(index, size, read);
        expect(proof).toEqual(directPath(index, leaves));
        const leafHash = leaves[index] ?? emptyRoot;
        expect(verifyInclusion({ index, size, leafHash, root, proof })).toBe(true);
      }
      for (let from = 0; from <= size; from += 1) {
        const proof = await consistencyProof(from, size, read);
        expect(proof).toEqual(directProof(from, leaves));
        const fromRoot = rootOf(from);
        expect(verifyConsistency({ from, fromRoot, to: size, toRoot: root, proof })).toBe(true);
      }
    }
  });

  it('is read from tiles across their edges', async () => {
    const leaves = leavesOf(66_200);
    const { rootOf, tile } = grow(leaves);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: leaves.length }), fc.nat(), async (size, seed) => {
        const read = tileHashes(size, tile);
        const root = rootOf(size);
        expect(await treeRoot(size, read)).toEqual(root);
        const index = seed % size;
        const leafHash = leaves[index] ?? emptyRoot;
        const proof = await inclusionProof(index, size, read);
        expect(verifyInclusion({ index, size, leafHash, root, proof })).toBe(true);
        const consistency = await consistencyProof(index, size, read);
        const fromRoot = rootOf(index);
        expect(verifyConsistency({ from: index, fromRoot, to: size, toRoot: root, proof: consistency })).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a manipulated proof', () => {
  const leaves = leavesOf(200);
  const { rootOf, tile } = grow(leaves);
  const root = rootOf(200);
  const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
    bytes.map((byte, at) => (at === Math.floor(bit / 8) ? byte ^ (1 << (bit % 8)) : byte));

  it('of inclusion does not verify', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(255), async (size, seed, bit) => {
        const index = seed % size;
        const claim = {
          index,
          size,
          leafHash: leaves[index] ?? emptyRoot,
          root: rootOf(size),
          proof: await inclusionProof(index, size, tileHashes(size, tile)),
        };
        expect(verifyInclusion({ ...claim, leafHash: flipped(claim.leafHash, bit) })).toBe(false);
        expect(verifyInclusion({ ...claim, root: flipped(claim.root, bit) })).toBe(false);
        expect(verifyInclusion({ ...claim, proof: [...claim.proof, emptyRoot] })).toBe(false);
        expect(verifyInclusion({ ...claim, index: size })).toBe(false);
        expect(verifyInclusion({ ...claim, index: -1 })).toBe(false);
        expect(verifyInclusion({ ...claim, index: index + 0.5 })).toBe(false);
        if (claim.proof.length === 0) return;
        const at = seed % claim.proof.length;
        const edited = claim.proof.map((hash, place) => (place === at ? flipped(hash, bit) : hash));
        expect(verifyInclusion({ ...claim, proof: edited })).toBe(false);
        expect(verifyInclusion({ ...claim, proof: claim.proof.slice(0, -1) })).toBe(false);
        expect(verifyInclusion({ ...claim, index: (index + 1) % size })).toBe(false);
        expect(verifyInclusion({ ...claim, proof: claim.proof.map((hash) => hash.slice(1)) })).toBe(false);
      }),
    );
  });

  it('of consistency does not verify', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 199 }), fc.nat(), fc.nat(255), async (from, seed, bit) => {
        const fromRoot = rootOf(from);
        const proof = await consistencyProof(from, 200, tileHashes(200, tile));
        const claim = { from, fromRoot, to: 200, toRoot: root, proof };
        expect(verifyConsistency(claim)).toBe(true);
        const at = seed % proof.length;
        const edited = proof.map((hash, place) => (place === at ? flipped(hash, bit) : hash));
        expect(verifyConsistency({ ...claim, proof: edited })).toBe(false);
        expect(verifyConsistency({ ...claim, proof: proof.slice(1) })).toBe(false);
        expect(verifyConsistency({ ...claim, proof: [...proof, emptyRoot] })).toBe(false);
        expect(verifyConsistency({ ...claim, fromRoot: flipped(fromRoot, bit) })).toBe(false);
        expect(verifyConsistency({ ...claim, toRoot: flipped(root, bit) })).toBe(false);
        expect(verifyConsistency({ ...claim, from: 201 })).toBe(false);
      }),
    );
  });

  it('of equal or empty trees is refused in the same way', () => {
    const fork = frontierRoot(grow(leavesOf(200, 'fork')).frontier);
    expect(verifyConsistency({ from: 200, fromRoot: root, to: 200, toRoot: root, proof: [] })).toBe(true);
    expect(verifyConsistency({ from: 200, fromRoot: fork, to: 200, toRoot: root, proof: [] })).toBe(false);
    expect(verifyConsistency({ from: 0, fromRoot: emptyRoot, to: 200, toRoot: root, proof: [] })).toBe(true);
    expect(verifyConsistency({ from: 0, fromRoot: fork, to: 200, toRoot: root, proof: [] })).toBe(false);
  });

  it('is not made for missing leaves and sizes', async () => {
    const read = tileHashes(200, tile);
    await expect(inclusionProof(200, 200, read)).rejects.toThrow(RangeError);
    await expect(inclusionProof(0, 0, read)).rejects.toThrow(RangeError);
    await expect(inclusionProof(0, 201, read)).rejects.toThrow(RangeError);
    await expect(consistencyProof(201, 200, read)).rejects.toThrow(RangeError);
    expect(() => frontierOf(3, new Uint8Array(32))).toThrow(RangeError);
  });
});
