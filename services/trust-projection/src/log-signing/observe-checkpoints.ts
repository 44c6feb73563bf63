import { observe } from '@agent-trust/metrics';
import type { MerkleTree } from '../audit/start-log-record.ts';
import type { SignedHeadStore } from './signed-head-store.ts';

/** Reports what was signed last, and what is not signed. Returns a function that ends that. */
export function observeCheckpoints(
  { lastSigned }: Pick<SignedHeadStore, 'lastSigned'>,
  tree: Pick<MerkleTree, 'head'>,
  fault: () => string | null,
): () => void {
  return observe(async (report) => {
    report('registry.checkpoint.fault', fault() === null ? 0 : 1);
    // What was signed is read first: the tree can only be newer.
    const signed = await lastSigned();
    const { frontier } = await tree.head();
    const size = signed?.size ?? 0;
    report('registry.checkpoint.size', size);
    report('registry.checkpoint.unsigned', Math.max(0, frontier.size - size));
    if (signed !== null) report('registry.checkpoint.age', signed.ageSeconds);
  });
}
