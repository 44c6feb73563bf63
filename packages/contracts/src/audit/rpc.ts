import { z } from 'zod';
import { unary } from '../rpc/method.ts';
import { limits } from '../limits.ts';
import { logEntry } from '../transparency/rpc.ts';
import { moment, nullableText, positionText, sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Filters and paging; a null filter applies to no event. */
const pageRequest = {
  types: z.array(z.string()).nullable(),
  correlationId: nullableText,
  /** An exchange: the events of its stream, and its payments. */
  transactionId: nullableText.default(null),
  /** A kind of credentials, or the id of a named key. */
  credential: nullableText.default(null),
  /** Recorded at or after this moment … */
  from: timestamp.nullable(),
  /** … and before this one. */
  to: timestamp.nullable(),
  /** Only events after this position, which an event has; checked unless the page is a follower's that waits … */
  after: positionText.nullable(),
  /** … and only ones before this one. */
  before: positionText.nullable(),
  order: z.enum(['asc', 'desc']),
  limit: z.number().int().positive().max(limits.eventsPageMax),
  /** For a follower: how long to wait for events after `after`. */
  waitMs: z.number().int().nonnegative(),
};
/** Which part of some events to read now. */
export type EventsPageRequest = z.output<z.ZodObject<typeof pageRequest>>;

const answeredPage = {
  /** The last position that was searched for this answer; null if the log is empty. */
  upTo: positionText.nullable(),
  /** This answer is complete up to this position (newest first: down to it); null if there is no event at all. */
  seenTo: positionText.nullable(),
  /** Whether there may be more after `seenTo`: an answer is limited in size and search effort, and may then be empty. */
  isCut: z.boolean(),
};

const position = positionText.describe('Its place in the event log; positions follow the order of commits.');
const eventId = z.string().describe('Identifies the event permanently.');
const type = z.string().describe('What happened, in a word.');
const recordedAt = moment('When the log recorded it');
const anything = z.record(z.string(), z.unknown());
const archived = z
  .boolean()
  .describe('Whether it has left the log: what happened is in a segment of the archive, and not shown here.');
const leafIndex = z.string().describe("Its place among all events, from 0: its leaf in the log's Merkle tree.");

/**
 * An event as the log holds it (with hashes in place of personal data), and its leaf in the log's Merkle tree. The first eight members are
 * the leaf; its hash can be computed from them.
 */
export const loggedEvent = z.object({
  position,
  eventId,
  stream: z.string().describe('The stream that contains it.'),
  revision: z.string().describe('Its place in the stream, from 0.'),
  type,
  recordedAt,
  metadata: anything.describe(
    'Who caused it and how: `actor` (`kind`, `id`, `issuer`, `keyId`, `credentials`), `correlationId` (the X-Request-Id of the request), `causationId`, `schemaVersion`.',
  ),
  data: anything.describe('What happened in full, as it is stored. Personal data is replaced by its SHA-256.'),
  operator: z
    .object({
      id: nullableText.describe(
        'The name of the key, or what the issuer of the token calls the operator; null for break-glass.',
      ),
      issuer: nullableText.describe('Who vouches for the id; null for the registry itself.'),
      breakGlass: z
        .boolean()
        .describe('Whether a secret of the installation was used, ADMIN_TOKEN or ADMIN_KEY, which names nobody.'),
    })
    .nullable()
    .describe('Which operator caused it, from `metadata`; null if none did.'),
  leafIndex,
  archived,
  leafHash: sha256Hex.describe(
    'SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the first eight members, in hex.',
  ),
});
export type LoggedEvent = z.infer<typeof loggedEvent>;

/** Events of the whole log, for its operators. `organisation` is an id or a name. Refusals: unknown_position, read_model_behind, overloaded. */
export const listEvents = unary('trust-projection', 'list_events', {
  input: z.object({
    ...pageRequest,
    agentId: nullableText,
    organisation: nullableText,
    operator: nullableText,
    breakGlass: z.boolean(),
  }),
  output: z.object({ events: z.array(loggedEvent), ...answeredPage }),
});

/** An event as the owner of an agent in it sees it: without hashes of keys and tokens, and without what is another party's alone. */
export const ownedAgentEvent = z.object({
  position,
  eventId,
  type,
  recordedAt,
  universe: z
    .enum(['production', 'sandbox'])
    .nullable()
    .describe('Where an exchange, review or settlement took place; null for every other event.'),
  actor: z
    .object({
      kind: z.string().describe('Who did it: agent, organisation, admin, operator, system or anonymous.'),
      id: nullableText.describe("An agent's id, or the name of your organisation; null for others."),
      keyId: z.string().optional().describe('The named key of your organisation that was used, if it was one.'),
      credentials: z
        .array(z.string())
        .nullable()
        .describe(
          'The kinds of credentials that proved it: agent_key, signature, production_key, sandbox_key, admin_token, admin_key, claim_token, ' +
            'call_ref; empty for none, null if they were not recorded or are those of an operator with a name.',
        ),
    })
    .describe('Who did it.'),
  requestId: nullableText.describe("The X-Request-Id of the request that caused it; null for another party's request."),
  causationId: nullableText.describe("Shared by the events of one command or call; null for another party's request."),
  traceparent: nullableText.describe(
    "The W3C trace context of the request that caused it, which an operator or the registry may have made, too; null for another party's request, and if there was no trace.",
  ),
  data: anything.describe('What happened.'),
  archived,
  leafIndex,
  leafHash: sha256Hex.describe('The hash of its leaf, in hex, which GET /log/proof/inclusion proves.'),
  entry: logEntry
    .nullable()
    .describe(
      'The event as its leaf holds it: `leaf_hash` is SHA-256 of a zero byte and the canonical JSON (RFC 8785) of this. Null if the leaf has ' +
        'more than is shown above, such as the hash of a key or the request of another party, and for an archived event.',
    ),
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
