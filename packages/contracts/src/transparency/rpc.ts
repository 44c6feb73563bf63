import { z } from 'zod';
import { publicAgent } from '../agent/views.ts';
import { limits } from '../limits.ts';
import { unary } from '../rpc/method.ts';
import { moment, nullableMoment, nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';

const treeSize = z.int().min(0).describe('Leaves of the tree: the events of the log up to some moment.');
const root = sha256Hex.describe('Root of that tree (RFC 6962), SHA-256 in hex.');
const hashes = z.array(sha256Hex);
const checkpointIfNewest = nullableText.describe(
  'The newest signed checkpoint if the proof is for its tree; null for an older tree.',
);

/** The newest signed checkpoint. Refusal: log_inconsistent. */
export const getLogCheckpoint = unary('trust-projection', 'get_log_checkpoint', {
  input: z.object({}),
  output: z.object({ note: z.string() }),
});

/** The hashes of a tile, base64; null if the signed tree does not have it. */
export const getLogTile = unary('trust-projection', 'get_log_tile', {
  input: z.object({ level: z.int().min(0), index: z.int().min(0), width: z.int().min(1) }),
  output: z.object({ hashes: z.base64().nullable() }),
});

/** An event's place in the tree and the proof of it. */
export const inclusion = z.object({
  leafIndex: z.int().min(0),
  leafHash: sha256Hex.describe('Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785).'),
  hashes: hashes.describe('The audit path from the leaf up (RFC 6962 §2.1.1), in hex.'),
  size: treeSize,
  root,
});

export const inclusionProof = inclusion.extend({ checkpoint: checkpointIfNewest });

/**
 * Proves that an event is in the tree of `size` leaves (null: in the newest signed one).
 * Refusals: not_in_log, unavailable (the log record is being computed), log_inconsistent.
 */
export const getLogInclusionProof = unary('trust-projection', 'get_log_inclusion_proof', {
  input: z.object({
    leaf: z.union([z.object({ index: z.int().min(0) }), z.object({ eventId: z.string() })]),
    size: treeSize.nullable(),
  }),
  output: inclusionProof,
});

export const consistencyProof = z.object({
  from: treeSize.describe('Size of the earlier tree.'),
  fromRoot: root.describe('Root of the earlier tree.'),
  to: treeSize.describe('Size of the later tree.'),
  toRoot: root.describe('Root of the later tree.'),
  hashes: hashes.describe('The proof (RFC 6962 §2.1.2), in hex.'),
  checkpoint: checkpointIfNewest,
});

/** Proves that a tree is the beginning of a later one (null: the newest signed one). Refusals as above. */
export const getLogConsistencyProof = unary('trust-projection', 'get_log_consistency_proof', {
  input: z.object({ from: treeSize, to: treeSize.nullable() }),
  output: consistencyProof,
});

const jwk = z.object({
  kty: z.literal('OKP').describe('RFC 8037.'),
  crv: z.literal('Ed25519').describe('RFC 8037.'),
  x: z.string().describe('The public key, base64url.'),
  kid: z.string().describe('The key id of verifier_key, and the kid of signed verdicts.'),
  alg: z.literal('EdDSA').describe('The algorithm of signed verdicts.'),
  use: z.literal('sig').describe('For signatures alone.'),
});
const verifierKey = z.string().describe('The key in the form for readers of signed notes (C2SP signed-note).');

/** The name and the public key that checkpoints and verdicts are verified with. */
export const logKey = z.object({
  origin: z.string().describe('The name of the log: the first line of its checkpoints.'),
  verifierKey,
  jwk: jwk.describe('The same key as a JSON Web Key, for signed verdicts.'),
  keys: z
    .array(
      z.object({
        verifierKey,
        jwk: jwk.describe('The same key as a JSON Web Key.'),
        signsSince: moment('Since when it is known to sign'),
        signedUntil: nullableMoment('When it was known to sign last; null for a key that signs'),
      }),
    )
    .describe(
      'Every key that the log is known to have, the present one first. Of those that sign, the present one signs verdicts, and all sign checkpoints.',
    ),
});
export const getLogKey = unary('trust-projection', 'get_log_key', { input: z.object({}), output: logKey });

/** An event as its leaf holds it; see `LogEntry` of the package transparency-log. */
export const logEntry = z
  .object({
    position: z.string().describe('Place in the event log, decimal digits.'),
    event_id: z.string().describe('Id of the event.'),
    stream: z.string().describe('The stream that contains it.'),
    revision: z.string().describe('Place in that stream, from 0, decimal digits.'),
    type: z.string().describe('What happened.'),
    recorded_at: moment('When it was recorded'),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Who caused it, with which kind of credential, and by which request.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The data of the event, as stored; personal data only as its hash.'),
  })
  .meta({ id: 'LogEntry', description: 'An event as its leaf of the tree holds it.' });

/**
 * The proof that a review of an agent is in the log; visible from a universe like the rating. Refusals: agent_not_found, review_not_found,
 * unavailable (the log record is being computed), log_inconsistent.
 */
export const getReviewReceipt = unary('trust-projection', 'get_review_receipt', {
  input: z.object({ agentId: z.string(), transactionId: z.string().max(limits.tokenCharsMax), universe }),
  output: inclusion.extend({ entry: logEntry, checkpoint: z.string() }),
});

export const reviewLeaf = z.object({
  transactionId: z.string().describe('The exchange that was reviewed.'),
  position: positionText.describe('Place of the review in the event log.'),
  leafIndex: z.int().min(0),
  leafHash: inclusion.shape.leafHash,
});

/**
 * The leaves of the reviews of an agent that are visible from a universe, oldest first; null for an unknown agent. Refusals: unavailable (the
 * log record is being computed).
 */
export const listReviewLeaves = unary('trust-projection', 'list_review_leaves', {
  input: z.object({ agentId: z.string(), universe, limit: z.number(), offset: z.number() }),
  output: z.object({ reviews: z.array(reviewLeaf).nullable(), total: z.number() }),
});

/** An agent as the public sees it, with the registry's signature on its trust: a compact JWS. Null for an agent that the universe does not see. */
export const signVerdict = unary('trust-projection', 'sign_verdict', {
  input: z.object({ agentId: z.string(), universe }),
  output: z.object({ verdict: z.object({ agent: publicAgent, signed: z.string() }).nullable() }),
});
