import { DomainError, exchangeStream, production, sameUniverse, universe, type Universe } from '@agent-trust/contracts';
import type { EventLog, RecordedEvent } from '@agent-trust/event-log';
import { leafHash, type LogEntry, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import { type InclusionAnswer, proveBySignature, type ProofParts } from './proofs.ts';

/** The review of an exchange by which an agent was rated, where it is seen from the universe: as ratings are, those of production everywhere. */
const findReview = async (
  log: Pick<EventLog, 'readStream'>,
  wanted: { agentId: string; transactionId: string; universe: Universe },
): Promise<RecordedEvent | undefined> => {
  const events = await log.readStream(exchangeStream(wanted.transactionId));
  return events.find(({ type, data }) => {
    if (type !== 'ExchangeReviewed' || data['receiverAgentId'] !== wanted.agentId) return false;
    const where = universe.safeParse(data['universe']);
    return where.success && (sameUniverse(where.data, wanted.universe) || sameUniverse(where.data, production));
  });
};

/** The proof that a review is in the log; `reach` waits for the log record. Throws `review_not_found`, `log_inconsistent`, `unavailable`. */
export async function reviewReceipt(
  parts: ProofParts & {
    log: Pick<EventLog, 'readStream'>;
    reach: (position: bigint) => Promise<void>;
  },
  wanted: { agentId: string; transactionId: string; universe: Universe },
): Promise<InclusionAnswer & { entry: LogEntry; checkpoint: string }> {
  const review = await findReview(parts.log, wanted);
  if (review === undefined)
    throw new DomainError(
      'review_not_found',
      `agent ${JSON.stringify(wanted.agentId)} has no review of exchange ${JSON.stringify(wanted.transactionId)}`,
    );
  await parts.reach(review.position);
  const [leaf] = await parts.tree.leavesAt([review.position]);
  const entry = logEntryOf(review);
  // What was rewritten since cannot be proven, and what the tree holds of it cannot be shown any more.
  if (leaf === undefined || !sameHash(leaf.hash, leafHash(entry)))
    throw new DomainError(
      'log_inconsistent',
      `The event at position ${review.position} is not the one of which the tree was made.`,
    );
  return { ...(await proveBySignature(parts, leaf)), entry };
}
