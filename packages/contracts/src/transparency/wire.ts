import { z } from 'zod';
import { recommendedAction } from '../agent/views.ts';
import { sha256Hex } from '../text.ts';
import type { getLogConsistencyProof, getLogInclusionProof, getLogKey, getReviewReceipt, Inclusion } from './rpc.ts';

/** Answers about the log on the wire, and the one place that maps names of the code to the wire's. */

const size = z.int().min(0).meta({ description: 'Leaves of the tree: the events of the log up to some moment.' });
const root = sha256Hex.meta({ description: 'Root of that tree (RFC 6962), SHA-256 in hexadecimal.' });
const proofHashes = z.array(sha256Hex).meta({ description: 'The hashes of the proof in their order, in hexadecimal.' });
const checkpointIfNewest = z.string().nullable().meta({
  description: 'The newest signed checkpoint, where the proof is one for its tree; null for an older tree.',
});

const inclusionFields = {
  leaf_index: z
    .string()
    .regex(/^\d{1,16}$/u)
    .meta({ description: 'Which leaf the event is, from 0, in the order of the log; decimal digits.' }),
  leaf_hash: sha256Hex.meta({ description: 'Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785).' }),
  hashes: proofHashes.meta({ description: 'The audit path from the leaf up (RFC 6962 §2.1.1), in hexadecimal.' }),
  size,
  root,
};

export const inclusionProofWire = z
  .object({ ...inclusionFields, checkpoint: checkpointIfNewest })
  .meta({ id: 'InclusionProof', description: 'Proof that an event is in the log.' });

export const consistencyProofWire = z
  .object({
    from: size.meta({ description: 'Size of the earlier tree.' }),
    from_root: root.meta({ description: 'Root of the earlier tree.' }),
    to: size.meta({ description: 'Size of the later tree.' }),
    to_root: root.meta({ description: 'Root of the later tree.' }),
    hashes: proofHashes.meta({ description: 'The proof (RFC 6962 §2.1.2), in hexadecimal.' }),
    checkpoint: checkpointIfNewest,
  })
  .meta({ id: 'ConsistencyProof', description: 'Proof that a tree is the beginning of a later one.' });

export const logKeyWire = z
  .object({
    origin: z.string().meta({ description: 'What the log is called: the first line of its checkpoints.' }),
    verifier_key: z
      .string()
      .meta({ description: 'The key as those read it who open signed notes (C2SP signed-note).' }),
    jwk: z
      .object({
        kty: z.literal('OKP').meta({ description: 'RFC 8037.' }),
        crv: z.literal('Ed25519').meta({ description: 'RFC 8037.' }),
        x: z.string().meta({ description: 'The public key, base64url.' }),
        kid: z.string().meta({ description: 'The key id of verifier_key, and the kid of signed verdicts.' }),
        alg: z.literal('EdDSA').meta({ description: 'What signed verdicts are signed by.' }),
        use: z.literal('sig').meta({ description: 'For signatures alone.' }),
      })
      .meta({ description: 'The same key as a JSON Web Key, for signed verdicts.' }),
  })
  .meta({
    id: 'LogKey',
    description: 'The public key of the log, by which checkpoints and signed verdicts are verified.',
  });

export const logEntryWire = z
  .object({
    position: z.string().meta({ description: 'Place in the event log, decimal digits.' }),
    event_id: z.string().meta({ description: 'Id of the event.' }),
    stream: z.string().meta({ description: 'The stream that it is part of.' }),
    revision: z.string().meta({ description: 'Place in that stream, from 0, decimal digits.' }),
    type: z.string().meta({ description: 'What happened.' }),
    recorded_at: z.string().meta({ description: 'When it was recorded, RFC 3339 in UTC.' }),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Who asked by which kind of credential, and the request that it came from.' }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What the event says, as it is stored; personal data only as its hash.' }),
  })
  .meta({ id: 'LogEntry', description: 'An event as its leaf of the tree holds it.' });

export const receiptWire = z
  .object({
    agent_id: z.string().meta({ description: 'The agent that was reviewed.' }),
    transaction_id: z.string().meta({ description: 'The exchange that was reviewed.' }),
    entry: logEntryWire,
    ...inclusionFields,
    checkpoint: z.string().meta({ description: 'The signed checkpoint of that tree (C2SP tlog-checkpoint).' }),
  })
  .meta({ id: 'ReviewReceipt', description: 'A review with the proof that it stands in the log.' });

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

type Output<Method extends { output: z.ZodType }> = z.output<Method['output']>;

const inclusionToWire = ({ leafIndex, leafHash, hashes, size: leaves, root: rootHash }: Inclusion) => ({
  leaf_index: String(leafIndex),
  leaf_hash: leafHash,
  hashes,
  size: leaves,
  root: rootHash,
});

export function inclusionProofToWire(proof: Output<typeof getLogInclusionProof>): z.infer<typeof inclusionProofWire> {
  return { ...inclusionToWire(proof), checkpoint: proof.checkpoint };
}

export function consistencyProofToWire(
  proof: Output<typeof getLogConsistencyProof>,
): z.infer<typeof consistencyProofWire> {
  return {
    from: proof.from,
    from_root: proof.fromRoot,
    to: proof.to,
    to_root: proof.toRoot,
    hashes: proof.hashes,
    checkpoint: proof.checkpoint,
  };
}

export function logKeyToWire({ origin, verifierKey, jwk }: Output<typeof getLogKey>): z.infer<typeof logKeyWire> {
  return {
    origin,
    verifier_key: verifierKey,
    jwk,
  };
}

export function receiptToWire(
  review: { agentId: string; transactionId: string },
  receipt: Output<typeof getReviewReceipt>,
): z.infer<typeof receiptWire> {
  return {
    agent_id: review.agentId,
    transaction_id: review.transactionId,
    entry: receipt.entry,
    ...inclusionToWire(receipt),
    checkpoint: receipt.checkpoint,
  };
}
