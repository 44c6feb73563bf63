import { DomainError } from '@agent-trust/contracts';
import {
  consistencyProof,
  hashBytes,
  inclusionProof,
  type Tile,
  tileInTree,
  toHex,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@agent-trust/transparency-log';
import type { FoundLeaf, MerkleTree } from '../audit/start-log-record.ts';
import type { Checkpoints } from './checkpoints.ts';

/** What proofs are made of. Nothing beyond the signed tree is proved. */
export type ProofParts = { checkpoints: Checkpoints; tree: MerkleTree; signal?: AbortSignal };

/** A tree that may be asked about, with its checkpoint when it is the newest signed one. */
type AskedTree = { size: number; root: Uint8Array; note: string | null };

const notInLog = (message: string): DomainError => new DomainError('not_in_log', message);

/** A log record that is being rebuilt lacks leaves that were signed already. */
const ensureTreeReaches = async (stored: MerkleTree, size: number): Promise<void> => {
  const { frontier } = await stored.head();
  if (frontier.size < size)
    throw new DomainError(
      'unavailable',
      `The tree is being rebuilt and has ${frontier.size} of ${size} leaves; try again in a moment.`,
    );
};

const askedTree = async (
  { checkpoints, tree: stored, signal }: ProofParts,
  size: number | null,
): Promise<AskedTree> => {
  const newest = await checkpoints.current(signal);
  const wanted = size ?? newest.size;
  if (wanted > newest.size)
    throw notInLog(`The signed tree has ${newest.size} leaves; none of ${wanted} has been signed.`);
  await ensureTreeReaches(stored, wanted);
  if (wanted === newest.size) return newest;
  return { size: wanted, root: await treeRoot(wanted, stored.hashes(wanted)), note: null };
};

export type InclusionAnswer = {
  leafIndex: number;
  leafHash: string;
  hashes: string[];
  size: number;
  root: string;
  checkpoint: string | null;
};

/** A proof that does not hold is not answered: it would speak against the log, but the stored tree is what is wrong. */
const ensureProven = (holds: boolean, what: string): void => {
  if (!holds) throw new DomainError('log_inconsistent', `The tree as it is stored no longer proves ${what}.`);
};

const proveIn = async (stored: MerkleTree, leaf: FoundLeaf, tree: AskedTree): Promise<InclusionAnswer> => {
  const { leafIndex: index, hash: leafHash } = leaf;
  const { size, root, note } = tree;
  const proof = await inclusionProof(index, size, stored.hashes(size));
  ensureProven(verifyInclusion({ index, size, leafHash, root, proof }), `leaf ${index} of ${size}`);
  return {
    leafIndex: index,
    leafHash: toHex(leafHash),
    hashes: proof.map(toHex),
    size,
    root: toHex(root),
    checkpoint: note,
  };
};

/**
 * Proves that an event is in the tree of `size` leaves, or in the newest signed one.
 *
 * @throws DomainError `not_in_log`, `log_inconsistent`, `unavailable` while the tree is rebuilt
 */
export async function proveInclusion(
  parts: ProofParts,
  wanted: { index: number } | { eventId: string },
  size: number | null,
): Promise<InclusionAnswer> {
  const tree = await askedTree(parts, size);
  const leaf = await parts.tree.leaf(wanted);
  if (leaf === null || leaf.leafIndex >= tree.size)
    throw notInLog(
      'index' in wanted
        ? `The tree has ${tree.size} leaves; there is no leaf ${wanted.index}.`
        : `The tree of ${tree.size} leaves has no event ${JSON.stringify(wanted.eventId)}.`,
    );
  return proveIn(parts.tree, leaf, tree);
}

/** Proves that a tree is the beginning of the later one. Refuses as `proveInclusion` does. */
export async function proveConsistency(
  parts: ProofParts,
  from: number,
  to: number | null,
): Promise<{
  from: number;
  fromRoot: string;
  to: number;
  toRoot: string;
  hashes: string[];
  checkpoint: string | null;
}> {
  const tree = await askedTree(parts, to);
  if (from > tree.size) throw notInLog(`The tree of ${tree.size} leaves has no beginning of ${from}.`);
  const { size, root, note } = tree;
  const read = parts.tree.hashes(size);
  const fromRoot = await treeRoot(from, read);
  const proof = await consistencyProof(from, size, read);
  ensureProven(
    verifyConsistency({ from, fromRoot, to: size, toRoot: root, proof }),
    `that its ${size} leaves begin with the first ${from}`,
  );
  return { from, fromRoot: toHex(fromRoot), to: size, toRoot: toHex(root), hashes: proof.map(toHex), checkpoint: note };
}

/** The hashes of a tile of the signed tree, which may have outgrown a partial one; null where it has no such tile. */
export async function signedTile({ checkpoints, tree: stored }: ProofParts, tile: Tile): Promise<Uint8Array | null> {
  const inTree = tileInTree(tile.level, tile.index, await checkpoints.signedSize());
  if (inTree === null || inTree.width < tile.width) return null;
  const hashes = await stored.tile(tile);
  if (hashes.length < tile.width * hashBytes)
    throw new DomainError('unavailable', 'The tree is being rebuilt; try again in a moment.');
  return hashes;
}

/** Proves, by a signed checkpoint, that the event of this leaf is in the log. Refuses as `proveInclusion` does. */
export async function proveBySignature(
  { checkpoints, tree: stored, signal }: ProofParts,
  leaf: FoundLeaf,
): Promise<InclusionAnswer & { checkpoint: string }> {
  const newest = await checkpoints.current(signal);
  await ensureTreeReaches(stored, Math.max(newest.size, leaf.leafIndex + 1));
  if (leaf.leafIndex >= newest.size)
    throw new DomainError('unavailable', 'The event is not yet in a signed tree; try again in a moment.');
  return { ...(await proveIn(stored, leaf, newest)), checkpoint: newest.note };
}
