import { z } from 'zod';
import { recommendedAction } from '../agent/views.ts';
import { nullableText, sha256Hex } from '../text.ts';
import type { getLogConsistencyProof, getLogInclusionProof, getLogKey, getReviewReceipt, Inclusion } from './rpc.ts';

/** Answers about the log on the wire, and the one place that maps names of the code to the wire's. */

const size = z.int().min(0).describe('Leaves of the tree: the events of the log up to some moment.');
const root = sha256Hex.describe('Root of that tree (RFC 6962), SHA-256 in hexadecimal.');
const proofHashes = z.array(sha256Hex).describe('The hashes of the proof in their order, in hexadecimal.');
const checkpointIfNewest = nullableText.describe(
  'The newest signed checkpoint, where the proof is one for its tree; null for an older tree.',
);

const inclusionFields = {
  leaf_index: z
    .string()
    .regex(/^\d{1,16}$/u)
    .describe('Which leaf the event is, from 0, in the order of the log; decimal digits.'),
  leaf_hash: sha256Hex.describe('Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785).'),
  hashes: proofHashes.describe('The audit path from the leaf up (RFC 6962 §2.1.1), in hexadecimal.'),
  size,
  root,
};

export const inclusionProofWire = z
  .object({ ...inclusionFields, checkpoint: checkpointIfNewest })
  .meta({ id: 'InclusionProof', description: 'Proof that an event is in the log.' });

export const consistencyProofWire = z
  .object({
    from: size.describe('Size of the earlier tree.'),
    from_root: root.describe('Root of the earlier tree.'),
    to: size.describe('Size of the later tree.'),
    to_root: root.describe('Root of the later tree.'),
    hashes: proofHashes.describe('The proof (RFC 6962 §2.1.2), in hexadecimal.'),
    checkpoint: checkpointIfNewest,
  })
  .meta({ id: 'ConsistencyProof', description: 'Proof that a tree is the beginning of a later one.' });

export const logKeyWire = z
  .object({
    origin: z.string().describe('What the log is called: the first line of its checkpoints.'),
    verifier_key: z.string().describe('The key as those read it who open signed notes (C2SP signed-note).'),
    jwk: z
      .object({
        kty: z.literal('OKP').describe('RFC 8037.'),
        crv: z.literal('Ed25519').describe('RFC 8037.'),
        x: z.string().describe('The public key, base64url.'),
        kid: z.string().describe('The key id of verifier_key, and the kid of signed verdicts.'),
        alg: z.literal('EdDSA').describe('What signed verdicts are signed by.'),
        use: z.literal('sig').describe('For signatures alone.'),
      })
      .describe('The same key as a JSON Web Key, for signed verdicts.'),
  })
  .meta({
    id: 'LogKey',
    description: 'The public key of the log, by which checkpoints and signed verdicts are verified.',
  });

export const logEntryWire = z
  .object({
    position: z.string().describe('Place in the event log, decimal digits.'),
    event_id: z.string().describe('Id of the event.'),
    stream: z.string().describe('The stream that it is part of.'),
    revision: z.string().describe('Place in that stream, from 0, decimal digits.'),
    type: z.string().describe('What happened.'),
    recorded_at: z.string().describe('When it was recorded, RFC 3339 in UTC.'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Who asked by which kind of credential, and the request that it came from.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('What the event says, as it is stored; personal data only as its hash.'),
  })
  .meta({ id: 'LogEntry', description: 'An event as its leaf of the tree holds it.' });

export const receiptWire = z
  .object({
    agent_id: z.string().describe('The agent that was reviewed.'),
    transaction_id: z.string().describe('The exchange that was reviewed.'),
    entry: logEntryWire,
    ...inclusionFields,
    checkpoint: z.string().describe('The signed checkpoint of that tree (C2SP tlog-checkpoint).'),
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
