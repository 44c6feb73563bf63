import { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import { textHeader } from '../http/headers.ts';
import { answer, type Headers, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import type { logEntry } from '../transparency/rpc.ts';
import { eventsQuery } from './query.ts';
import { loggedEventWire, ownedAgentEventWire } from './wire-output.ts';

const eventId = '0199c2f4-7a51-7c3e-9c0b-000000000001';
const requestId = '0d7b0b8e-4a55-4f0e-9a0c-5b9a4b1f9d2e';
const recordedAt = '2026-01-15T09:30:00.120Z';

export const exampleLoggedEvent: z.infer<typeof loggedEventWire> = {
  position: '1042',
  event_id: eventId,
  stream: `agent-${exampleIds.translator}`,
  revision: '7',
  type: 'AgentPublished',
  recorded_at: recordedAt,
  metadata: {
    correlationId: requestId,
    causationId: '0199c2f4-7a51-7c3e-9c0b-000000000002',
    actor: { kind: 'organisation', id: 'globex', credentials: ['sandbox_key'] },
    schemaVersion: 1,
  },
  data: { agentId: exampleIds.translator, orgId: 'globex', publishedAt: '2026-01-15T09:30:00.000Z' },
  operator: null,
  leaf_index: '1041',
  archived: false,
  leaf_hash: '5e27e3c5cbf2d5d6a8a1c7c0a3a0b5a4d0a1f6c3a1b2c3d4e5f60718293a4b5c',
};

const exampleEntry: z.infer<typeof logEntry> = {
  position: exampleLoggedEvent.position,
  event_id: exampleLoggedEvent.event_id,
  stream: exampleLoggedEvent.stream,
  revision: exampleLoggedEvent.revision,
  type: exampleLoggedEvent.type,
  recorded_at: exampleLoggedEvent.recorded_at,
  metadata: exampleLoggedEvent.metadata,
  data: exampleLoggedEvent.data,
};

export const exampleAgentEvent: z.infer<typeof ownedAgentEventWire> = {
  position: '1042',
  event_id: eventId,
  type: 'AgentPublished',
  recorded_at: recordedAt,
  universe: null,
  actor: { kind: 'organisation', id: 'Globex', credentials: ['sandbox_key'] },
  request_id: requestId,
  causation_id: '0199c2f4-7a51-7c3e-9c0b-000000000002',
  traceparent: null,
  data: { agent_id: exampleIds.translator, published_at: '2026-01-15T09:30:00.000Z' },
  archived: false,
  leaf_index: exampleLoggedEvent.leaf_index,
  leaf_hash: exampleLoggedEvent.leaf_hash,
  entry: exampleEntry,
};

/** Two lines of an export: an event, and the end. */
export function exampleExport(event: object): string {
  return `${JSON.stringify(event)}\n${JSON.stringify({ end_of_export: { events: 1, up_to_position: '1042' } })}\n`;
}

export function exampleFollowed(event: { position: string }): string {
  return `retry: 1000\n\nid: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;
}

const acceptHeader: Headers = {
  Accept: textHeader(
    'text/event-stream follows, application/x-ndjson exports, any other type gets a page.',
    'application/json',
  ),
};
const followHeader: Headers = {
  'Last-Event-ID': textHeader(
    'For a follower that resumes: the id of its last event; takes precedence over `after`.',
    '1042',
  ),
};

const linkTo = (address: string): Headers => ({
  Link: textHeader(
    'RFC 8288: the next page, if there may be more. A short or empty page may have a next one.',
    `<https://registry.example${address}?limit=100&after=1042>; rel="next"`,
  ),
  'Cache-Control': textHeader('For followers and exports: no-store.', 'no-store'),
  'X-Accel-Buffering': textHeader('For followers: asks reverse proxies to forward events at once.', 'no'),
});

const modes =
  'A page has a Link to the next one while there may be more; positions never change, so a client can continue after its last one at any time. ' +
  'A follower receives one server-sent event each, with the position as its id, resumes with Last-Event-ID at any gateway, and receives a ' +
  'comment every few seconds. An export is JSON Lines up to the moment of the request; without the last line {"end_of_export": …} it broke off.';

export const listAgentEventsRoute = route({
  method: 'GET',
  path: '/org/agents/{agent_id}/events',
  operationId: 'listAgentEvents',
  summary: 'The events of one of your agents: who did what, when, with which credential, by which request',
  description:
    'The key picks the universe of exchanges, reviews and settlements. Of other agents you see the id and their exchanges with yours, but no ' +
    'contact details, hashes of keys and tokens, or requests of other parties. Each event has the hash of its leaf in the log, and, where nothing ' +
    'of that is hidden from you, the leaf itself. ' +
    modes,
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'read',
  params: z.object({ agent_id: agentId }),
  query: z.object(eventsQuery),
  withoutHead: true,
  headers: { ...acceptHeader, ...followHeader },
  answers: {
    200: answer('Events: a page, JSON Lines, or a stream.', z.array(ownedAgentEventWire), [exampleAgentEvent], {
      headers: linkTo('/org/agents/globex-translator/events'),
      streamedAs: 'text/event-stream',
      streamExample: exampleFollowed(exampleAgentEvent),
      furtherStreams: { 'application/x-ndjson': exampleExport(exampleAgentEvent) },
    }),
  },
  errors: ['agent_not_found', 'unknown_position', 'read_model_behind'],
});

export const listEventsRoute = route({
  method: 'GET',
  path: '/ops/events',
  operationId: 'listEvents',
  summary: 'Every event of the log, for its operators',
  description: `Of both universes, with the data to verify each event against the log's Merkle tree. ${modes}`,
  tag: 'Operations',
  credentials: ['admin_token', 'operator'],
  operatorRole: 'viewer',
  query: z.object({
    ...eventsQuery,
    agent_id: agentId.optional().describe('Only events about this agent.'),
    org: text(limits.orgNameCharsMax, 1)
      .optional()
      .describe(
        'Only events of this organisation, by name (exact but for case) or id, and of agents that belonged to it then.',
      ),
    operator: text(limits.operatorIdCharsMax, 1)
      .optional()
      .describe('Only events caused by the operator of this name, of whichever issuer.'),
    break_glass: z
      .literal('true')
      .optional()
      .describe('true: only events caused with a secret of the installation, ADMIN_TOKEN or ADMIN_KEY.'),
  }),
  withoutHead: true,
  headers: { ...acceptHeader, ...followHeader },
  answers: {
    200: answer('Events: a page, JSON Lines, or a stream.', z.array(loggedEventWire), [exampleLoggedEvent], {
      headers: linkTo('/ops/events'),
      streamedAs: 'text/event-stream',
      streamExample: exampleFollowed(exampleLoggedEvent),
      furtherStreams: { 'application/x-ndjson': exampleExport(exampleLoggedEvent) },
    }),
  },
  errors: ['unknown_position', 'read_model_behind'],
});

/** The routes of the audit trail. */
export const auditRoutes: readonly Route[] = [listAgentEventsRoute, listEventsRoute];
