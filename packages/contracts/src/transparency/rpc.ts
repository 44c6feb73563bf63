import { z } from 'zod';
import { publicAgent } from '../agent/views.ts';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { nullableText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';

const treeSize = z.int().min(0);

/** The newest signed checkpoint. Refusal: log_inconsistent. */
export const getLogCheckpoint = unary('trust-projection', 'get_log_checkpoint', {
  input: z.object({}),
  output: z.object({ note: z.string() }),
});

/** The hashes of a tile, base64; null where the signed tree does not have it. */
export const getLogTile = unary('trust-projection', 'get_log_tile', {
  input: z.object({ level: z.int().min(0), index: z.int().min(0), width: z.int().min(1) }),
  output: z.object({ hashes: z.base64().nullable() }),
});

/** An event's place in the tree and the proof of it. */
export const inclusion = z.object({
  leafIndex: z.int().min(0),
  leafHash: sha256Hex,
  /** From the leaf up (RFC 6962 §2.1.1). */
  hashes: z.array(sha256Hex),
  size: treeSize,
  root: sha256Hex,
});
export type Inclusion = z.infer<typeof inclusion>;

/** Proves that an event is in the tree of `size` leaves (null: in the newest signed one). Refusals: not_in_log, unavailable (the log record is being computed), log_inconsistent. */
export const getLogInclusionProof = unary('trust-projection', 'get_log_inclusion_proof', {
  input: z.object({
    leaf: z.union([z.object({ index: z.int().min(0) }), z.object({ eventId: z.string() })]),
    size: treeSize.nullable(),
  }),
  output: inclusion.extend({ checkpoint: nullableText }),
});

/** Proves that a tree is the beginning of a later one (null: the newest signed one). Refusals as above. */
export const getLogConsistencyProof = unary('trust-projection', 'get_log_consistency_proof', {
  input: z.object({ from: treeSize, to: treeSize.nullable() }),
  output: z.object({
    from: treeSize,
    fromRoot: sha256Hex,
    to: treeSize,
    toRoot: sha256Hex,
    hashes: z.array(sha256Hex),
    checkpoint: nullableText,
  }),
});

/** The name and the public key that checkpoints and verdicts are verified with. */
export const getLogKey = unary('trust-projection', 'get_log_key', {
  input: z.object({}),
  output: z.object({
    origin: z.string(),
    verifierKey: z.string(),
    jwk: z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
    }),
  }),
});

/** An event as its leaf holds it; see `LogEntry` of the package transparency-log. */
export const logEntry = z.object({
  position: z.string(),
  event_id: z.string(),
  stream: z.string(),
  revision: z.string(),
  type: z.string(),
  recorded_at: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
});

/**
 * The proof that a review of an agent is in the log; seen from a universe as its rating is. Refusals: agent_not_found, review_not_found,
 * unavailable (the log record is being computed), log_inconsistent.
 */
export const getReviewReceipt = unary('trust-projection', 'get_review_receipt', {
  input: z.object({ agentId: z.string(), transactionId: z.string().max(limits.tokenCharsMax), universe }),
  output: inclusion.extend({ entry: logEntry, checkpoint: z.string() }),
});

/** An agent as the public sees it, with the registry's signature under what matters of it: a compact JWS. Null for an agent that is not seen. */
export const signVerdict = unary('trust-projection', 'sign_verdict', {
  input: z.object({ agentId: z.string(), universe }),
  output: z.object({ verdict: z.object({ agent: publicAgent, signed: z.string() }).nullable() }),
});
