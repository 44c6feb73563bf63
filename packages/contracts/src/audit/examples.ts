import type { z } from 'zod';
import { exampleIds } from '../agent/examples.ts';
import type { loggedEventWire, ownedAgentEventWire } from './wire-output.ts';

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
  leaf_index: '1041',
  leaf_hash: '5e27e3c5cbf2d5d6a8a1c7c0a3a0b5a4d0a1f6c3a1b2c3d4e5f60718293a4b5c',
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
  data: { agent_id: exampleIds.translator, published_at: '2026-01-15T09:30:00.000Z' },
};

/** Two lines of an export: an event, and the end. */
export function exampleExport(event: object): string {
  return `${JSON.stringify(event)}\n${JSON.stringify({ end_of_export: { events: 1, up_to_position: '1042' } })}\n`;
}

export function exampleFollowed(event: { position: string }): string {
  return `retry: 1000\n\nid: ${event.position}\ndata: ${JSON.stringify(event)}\n\n`;
}
