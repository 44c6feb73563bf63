import {
  fromHex,
  type LogEntry,
  leafHash,
  sameHash,
  toHex,
  verifyInclusion as holds,
} from '@agent-trust/transparency-log';
import { type LogCheckpoint, type LogTrust, openCheckpoint } from './checkpoint.ts';
import { LogProofError } from './log-proof-error.ts';
import { readCount, readHash, readHashes } from './read-proof.ts';

/** Proof that a leaf is in a tree: an answer of GET /log/proof/inclusion, or part of a receipt. */
export type InclusionProofLike = {
  leaf_index: number | string;
  leaf_hash: string;
  hashes: readonly string[];
  size: number;
};

/**
 * Verifies that an event is in the log, at its position: that the entry hashes to the leaf, and the leaf is in the checkpoint's tree.
 *
 * @param entry The event as GET /ops/events or a receipt shows it; null to verify only the position of a leaf hash.
 * @throws LogProofError `wrong_leaf`, `wrong_inclusion` (also for a proof of a tree of another size), `malformed_proof`
 */
export function verifyInclusion(
  proof: InclusionProofLike,
  entry: LogEntry | null,
  checkpoint: Pick<LogCheckpoint, 'size' | 'root'>,
): void {
  const index = readCount(proof.leaf_index, 'leaf_index');
  const size = readCount(proof.size, 'size');
  const leaf = readHash(proof.leaf_hash, 'leaf_hash');
  const hashes = readHashes(proof.hashes);
  if (entry !== null && !sameHash(hashOf(entry), leaf))
    throw new LogProofError('wrong_leaf', `the event does not match leaf_hash`);
  if (size !== checkpoint.size)
    throw new LogProofError(
      'wrong_inclusion',
      `the proof is for a tree of ${size} events, the checkpoint for one of ${checkpoint.size}`,
    );
  if (!holds({ index, size, leafHash: leaf, root: fromHex(checkpoint.root), proof: hashes }))
    throw new LogProofError(
      'wrong_inclusion',
      `event ${index} with leaf hash ${toHex(leaf)} is not in the tree of the checkpoint`,
    );
}

const hashOf = (entry: LogEntry): Uint8Array => {
  try {
    return leafHash(entry);
  } catch (cause) {
    throw new LogProofError('wrong_leaf', 'the event cannot be hashed', { cause });
  }
};

/** A receipt, the answer of GET /agent/{agent_id}/trust/receipt/{transaction_id}. */
export type ReviewReceiptLike = InclusionProofLike & {
  agent_id: string;
  transaction_id: string;
  entry: LogEntry;
  /** The signed checkpoint of the proof's tree. */
  checkpoint: string;
};

export type VerifiedReceipt = {
  checkpoint: LogCheckpoint;
  /** Position in the log, from 0. */
  index: number;
  /** Reviews in a sandbox do not count outside it. */
  universe: 'production' | 'sandbox';
  /** The review as stored in the log. */
  entry: LogEntry;
};

/**
 * Verifies a review's receipt offline: that the log's key signed the checkpoint, that the review is in its tree, and that it is the review that the
 * receipt names.
 *
 * @throws LogProofError those of `openCheckpoint` and `verifyInclusion`; `wrong_subject` for a receipt of another exchange or agent
 */
export async function verifyReceipt(receipt: ReviewReceiptLike, trust: LogTrust): Promise<VerifiedReceipt> {
  if (typeof receipt !== 'object' || receipt === null)
    throw new LogProofError('malformed_proof', 'a receipt is an object');
  const checkpoint = await openCheckpoint(receipt.checkpoint, trust);
  const entry = provenMembers(receipt.entry);
  verifyInclusion(receipt, entry, checkpoint);
  const { type, data } = entry;
  const said = data as Record<string, unknown>;
  if (
    type !== 'ExchangeReviewed' ||
    said['transactionId'] !== receipt.transaction_id ||
    said['receiverAgentId'] !== receipt.agent_id
  )
    throw new LogProofError(
      'wrong_subject',
      `the event is not the review of ${receipt.agent_id} for exchange ${receipt.transaction_id}`,
    );
  const kind = (said['universe'] as { kind?: unknown } | null | undefined)?.kind;
  const universe = kind === 'production' ? kind : 'sandbox';
  return { checkpoint, index: readCount(receipt.leaf_index, 'leaf_index'), universe, entry };
}

/** The members that the leaf hash covers. Other members of an answer are not proven, and not returned. */
const provenMembers = (entry: LogEntry | null | undefined): LogEntry => {
  if (typeof entry !== 'object' || entry === null) throw new LogProofError('wrong_leaf', 'the receipt holds no event');
  const { position, event_id, stream, revision, type, recorded_at, metadata, data } = entry;
  return { position, event_id, stream, revision, type, recorded_at, metadata, data };
};
