import { fromHex, verifyConsistency as holds } from '@agent-trust/transparency-log';
import type { LogCheckpoint } from './checkpoint.ts';
import { LogProofError } from './log-proof-error.ts';
import { readCount, readHashes } from './read-proof.ts';

/** Proof that a log has only grown: an answer of GET /log/proof/consistency. */
export type ConsistencyProofLike = { from: number; to: number; hashes: readonly string[] };

type Head = Pick<LogCheckpoint, 'origin' | 'size' | 'root'>;

/**
 * Verifies that the log of the later checkpoint starts with the whole log of the earlier one: nothing was changed, removed or inserted.
 *
 * @param proof Not needed (null) if the sizes are equal, or the earlier log was empty.
 * @throws LogProofError `rolled_back` if the later log is smaller, `split_view` for two trees of one size, `wrong_consistency`, `wrong_origin` for
 *   two logs, `malformed_proof`
 */
export function verifyConsistency(earlier: Head, later: Head, proof: ConsistencyProofLike | null): void {
  if (earlier.origin !== later.origin)
    throw new LogProofError('wrong_origin', `these are two logs: ${earlier.origin} and ${later.origin}`);
  if (later.size < earlier.size)
    throw new LogProofError('rolled_back', `the log had ${earlier.size} events and has ${later.size} now`);
  if (later.size === earlier.size) {
    if (later.root === earlier.root) return;
    throw new LogProofError('split_view', `the log signed two trees of ${later.size} events`);
  }
  if (earlier.size === 0) return;
  if (proof === null) throw new LogProofError('malformed_proof', 'a proof is needed between two sizes');
  const [from, to] = [readCount(proof.from, 'the earlier size'), readCount(proof.to, 'the later size')];
  if (from !== earlier.size || to !== later.size)
    throw new LogProofError(
      'wrong_consistency',
      `the proof is from ${from} events to ${to}, the checkpoints from ${earlier.size} to ${later.size}`,
    );
  const claim = {
    from,
    to,
    fromRoot: fromHex(earlier.root),
    toRoot: fromHex(later.root),
    proof: readHashes(proof.hashes),
  };
  if (!holds(claim))
    throw new LogProofError(
      'wrong_consistency',
      `the log of ${to} events does not start with the log of ${from} events: it was rewritten or forked`,
    );
}
