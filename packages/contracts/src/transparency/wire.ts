import { z } from 'zod';
import { recommendedAction } from '../agent/views.ts';
import { sha256Hex } from '../text.ts';
import { onWire, toWire } from '../wire-form.ts';
import {
  consistencyProof,
  type getReviewReceipt,
  inclusion,
  inclusionProof,
  logEntry,
  logKey,
  reviewLeaf,
} from './rpc.ts';

/** Answers about the log on the wire. Leaf indexes are text there, since other languages read large numbers inexactly. */

const leafIndex = z
  .string()
  .regex(/^\d{1,16}$/u)
  .describe('The leaf of the event, from 0, in the order of the log; decimal digits.');
const inclusionWire = onWire(inclusion).extend({ leaf_index: leafIndex });

export const inclusionProofWire = inclusionWire
  .extend({ checkpoint: inclusionProof.shape.checkpoint })
  .meta({ id: 'InclusionProof', description: 'Proof that an event is in the log.' });

export const consistencyProofWire = onWire(consistencyProof).meta({
  id: 'ConsistencyProof',
  description: 'Proof that a tree is the beginning of a later one.',
});

export const logKeyWire = onWire(logKey).meta({
  id: 'LogKey',
  description: 'The public key of the log, which verifies checkpoints and signed verdicts.',
});

export const receiptWire = z
  .object({
    agent_id: z.string().describe('The agent that was reviewed.'),
    transaction_id: z.string().describe('The exchange that was reviewed.'),
    entry: logEntry,
    ...inclusionWire.shape,
    checkpoint: z.string().describe('The signed checkpoint of that tree (C2SP tlog-checkpoint).'),
  })
  .meta({ id: 'ReviewReceipt', description: 'A review with the proof that it is in the log.' });

export const reviewLeafWire = onWire(reviewLeaf)
  .extend({ leaf_index: leafIndex })
  .meta({ id: 'ReviewLeaf', description: "A review's leaf in the log's tree." });

/** What a signed verdict says, once its signature is verified. */
export const verdictClaims = z.object({
  iss: z.string(),
  /** When it was signed, in seconds. */
  iat: z.int(),
  agent_id: z.string(),
  universe: z.enum(['production', 'sandbox']),
  trust_score: z.int(),
  trust_policy: z.string(),
  recommended_action: recommendedAction,
  /** Place in the event log up to which this was computed. */
  position: z.string(),
  log: z.object({ origin: z.string(), size: z.int(), root: sha256Hex }),
});
export type VerdictClaims = z.infer<typeof verdictClaims>;

export function inclusionProofToWire(proof: z.output<typeof inclusionProof>): z.infer<typeof inclusionProofWire> {
  return { ...toWire(inclusionProof, proof), leaf_index: String(proof.leafIndex) };
}

export function reviewLeafToWire(leaf: z.output<typeof reviewLeaf>): z.infer<typeof reviewLeafWire> {
  return { ...toWire(reviewLeaf, leaf), leaf_index: String(leaf.leafIndex) };
}

export function receiptToWire(
  review: { agentId: string; transactionId: string },
  { entry, checkpoint, ...proof }: z.output<typeof getReviewReceipt.output>,
): z.infer<typeof receiptWire> {
  return {
    agent_id: review.agentId,
    transaction_id: review.transactionId,
    entry,
    ...inclusionProofToWire({ ...proof, checkpoint }),
    checkpoint,
  };
}
