import { nullableText } from '../text.ts';
import { z } from 'zod';
import type { LoggedEvent, OwnedAgentEvent } from './rpc.ts';

const position = z.string().describe('Its place in the event log; the order of positions is the order of commits.');
const eventId = z.string().describe('Names the event for ever.');
const eventType = z.string().describe('What happened, in a word.');
const recordedAt = z.string().describe('When the log recorded it, RFC 3339 in UTC.');
const anything = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** The wire's form of an event as the log holds it. The first eight members are the leaf; its hash can be computed from them. */
export const loggedEventWire = z
  .object({
    position,
    event_id: eventId,
    stream: z.string().describe('Whose event it is: the stream that it stands in.'),
    revision: z.string().describe('Its place in the stream, from 0.'),
    type: eventType,
    recorded_at: recordedAt,
    metadata: anything(
      'Who asked and how: `actor` (`kind`, `id`, `credentials`), `correlationId` (the X-Request-Id of the request that caused it), `causationId`, `schemaVersion`.',
    ),
    data: anything('What happened in full, as it is stored. Personal data is replaced by its SHA-256.'),
    leaf_index: z.string().describe("Its place among all events, from 0: its leaf in the log's Merkle tree."),
    leaf_hash: z
      .string()
      .describe(
        'SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the first eight members, in hexadecimal digits.',
      ),
  })
  .meta({ id: 'LoggedEvent', description: 'An event as the log holds it, for its operators.' });

export function loggedEventToWire(event: LoggedEvent): z.infer<typeof loggedEventWire> {
  return {
    position: event.position,
    event_id: event.eventId,
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    recorded_at: event.recordedAt,
    metadata: event.metadata,
    data: event.data,
    leaf_index: event.leafIndex,
    leaf_hash: event.leafHash,
  };
}

export const ownedAgentEventWire = z
  .object({
    position,
    event_id: eventId,
    type: eventType,
    recorded_at: recordedAt,
    universe: z
      .enum(['production', 'sandbox'])
      .nullable()
      .describe('Where an exchange, review or settlement took place; null for every other event.'),
    actor: z
      .object({
        kind: z
          .string()
          .describe('Who did it: agent, organisation, admin, operator, system, or anonymous for nobody known.'),
        id: nullableText.describe("An agent's id, or the name of your organisation; null for others."),
        credentials: z
          .array(z.string())
          .nullable()
          .describe(
            'The kinds of credentials that showed it: agent_key, signature, production_key, sandbox_key, admin_token, admin_key, claim_token, ' +
              'call_ref; empty for none. Null for an event of a time when this was not recorded.',
          ),
      })
      .describe('Who did it.'),
    request_id: nullableText.describe(
      "The X-Request-Id of the request that caused it; null where that was a stranger's.",
    ),
    causation_id: nullableText.describe("Shared by the events of one command or call; null for a stranger's."),
    data: anything('What happened.'),
  })
  .meta({ id: 'AgentEvent', description: 'Something that happened to an agent, as its owner sees it.' });

/** `ConfigurationChanged` and the like hold objects and lists of objects; their names are all of ours. */
const snakeCased = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(inner),
    ]),
  );
};

export function ownedAgentEventToWire(event: OwnedAgentEvent): z.infer<typeof ownedAgentEventWire> {
  return {
    position: event.position,
    event_id: event.eventId,
    type: event.type,
    recorded_at: event.recordedAt,
    universe: event.universe,
    actor: event.actor,
    request_id: event.requestId,
    causation_id: event.causationId,
    data: snakeCased(event.data) as Record<string, unknown>,
  };
}

/**
 * The last line of an export: that it is whole. An export without it broke off, wherever it was read; one that has it holds so many
 * events, up to that position.
 */
export const exportEndWire = z.object({
  end_of_export: z.object({ events: z.number().int(), up_to_position: nullableText }),
});
export type ExportEnd = z.infer<typeof exportEndWire>;
