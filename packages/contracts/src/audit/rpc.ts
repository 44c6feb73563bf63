import { z } from 'zod';
import { unary } from '../rpc/method.ts';
import { limits } from '../limits.ts';
import { nullableText, positionText, sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Which events, and which of them at a time. A null filter leaves nothing out. */
const pageRequest = {
  types: z.array(z.string()).nullable(),
  correlationId: nullableText,
  /** Recorded at or after this moment … */
  from: timestamp.nullable(),
  /** … and before this one. */
  to: timestamp.nullable(),
  /** Only events behind this position … */
  after: positionText.nullable(),
  /** … and only ones in front of this one. */
  before: positionText.nullable(),
  order: z.enum(['asc', 'desc']),
  limit: z.number().int().positive().max(limits.eventsPageMax),
  /** For a follower: how long to wait for the log to pass `after`. */
  waitMs: z.number().int().nonnegative(),
};

const answeredPage = {
  /** How far the log has been looked at for this answer; null when it is empty. */
  upTo: positionText.nullable(),
  /** Of all that was asked for, everything up to here (down to here, newest first) is in this answer; null when there is no event at all. */
  seenTo: positionText.nullable(),
  /** Whether there may be more behind `seenTo`: an answer is cut by its size and by how much had to be looked at, and may be empty then. */
  isCut: z.boolean(),
};

/** An event as the log holds it (with hashes in place of personal data), and the leaf that it is in the log's Merkle tree. */
export const loggedEvent = z.object({
  position: positionText,
  eventId: z.string(),
  stream: z.string(),
  revision: z.string(),
  type: z.string(),
  recordedAt: timestamp,
  metadata: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
  leafIndex: z.string(),
  leafHash: sha256Hex,
});
export type LoggedEvent = z.infer<typeof loggedEvent>;

/** Events of the whole log, for its operators. `organisation` is an id or a name. Refusals: read_model_behind, overloaded. */
export const listEvents = unary('trust-projection', 'list_events', {
  input: z.object({ ...pageRequest, agentId: nullableText, organisation: nullableText }),
  output: z.object({ events: z.array(loggedEvent), ...answeredPage }),
});

/** An event as the owner of an agent that it speaks of sees it: without hashes of keys and tokens, and nothing that is another's alone. */
export const ownedAgentEvent = z.object({
  position: positionText,
  eventId: z.string(),
  type: z.string(),
  recordedAt: timestamp,
  /** Where an exchange, review or settlement took place; null for every other event. */
  universe: z.enum(['production', 'sandbox']).nullable(),
  /** `id` is an agent's, or the name of the reader's own organisation; null for everybody else. */
  actor: z.object({ kind: z.string(), id: nullableText, credentials: z.array(z.string()).nullable() }),
  /** Of a stranger's request null, and so is `causationId`. */
  requestId: nullableText,
  causationId: nullableText,
  data: z.record(z.string(), z.unknown()),
});
export type OwnedAgentEvent = z.infer<typeof ownedAgentEvent>;

/** Events of one agent, for its organisation. Refusals: agent_not_found (or another's, or in the other universe), read_model_behind, overloaded. */
export const listAgentEvents = unary('trust-projection', 'list_agent_events', {
  input: z.object({
    ...pageRequest,
    agentId: z.string(),
    owner: z.object({ orgId: z.string(), orgName: z.string(), universe }),
  }),
  output: z.object({ events: z.array(ownedAgentEvent), ...answeredPage }),
});
