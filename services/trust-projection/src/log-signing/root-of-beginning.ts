import { type Frontier, frontierRoot, treeRoot } from '@agent-trust/transparency-log';
import type { MerkleTree } from '../audit/start-log-record.ts';

/** The root of the first `size` leaves of a tree, which has at least as many. */
export async function rootOfBeginning(
  tree: Pick<MerkleTree, 'hashes'>,
  frontier: Frontier,
  size: number,
): Promise<Uint8Array> {
  return size === frontier.size ? frontierRoot(frontier) : treeRoot(size, tree.hashes(frontier.size));
}
