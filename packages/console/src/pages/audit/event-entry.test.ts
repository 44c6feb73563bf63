import type { AgentEvent, LoggedEvent } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { entryOf, isViewOf } from './event-entry.ts';

const entry = {
  position: '7',
  event_id: 'e7',
  stream: 'agent-shop',
  revision: '3',
  type: 'ConfigurationChanged',
  recorded_at: '2026-01-15T09:30:00.120Z',
  metadata: { correlationId: 'r-1', actor: { kind: 'agent', id: 'shop', credentials: ['agent_key'] } },
  data: { agentId: 'shop', configuration: { httpMethods: ['GET'], priceSchedule: null } },
};
const shown = {
  position: '7',
  event_id: 'e7',
  type: 'ConfigurationChanged',
  recorded_at: '2026-01-15T09:30:00.120Z',
  actor: { kind: 'agent', id: 'shop', credentials: ['agent_key'] },
  request_id: 'r-1',
  traceparent: null,
  data: { configuration: { price_schedule: null, http_methods: ['GET'] }, agent_id: 'shop' },
  archived: false,
  entry,
} as unknown as AgentEvent;

describe('an event as its leaf has it', () => {
  it('is what an operator sees without what was added, and for an owner what comes with it', () => {
    const logged = { ...entry, leaf_hash: '00', leaf_index: '6', operator: null, archived: false } as LoggedEvent;
    expect(entryOf(logged)).toEqual(entry);
    expect(entryOf({ ...logged, archived: true })).toBeNull();
    expect(entryOf(shown)).toBe(entry);
    expect(entryOf({ ...shown, entry: null })).toBeNull();
  });

  it('says what its owner is shown, whatever the order of members', () => {
    expect(isViewOf(shown, entry)).toBe(true);
    const actor = { ...entry.metadata.actor, kind: 'organisation' };
    const byOrganisation = { ...entry, metadata: { ...entry.metadata, actor: { ...actor, id: '0a' } } };
    expect(isViewOf({ ...shown, actor: { ...shown.actor, kind: 'organisation', id: 'Acme' } }, byOrganisation)).toBe(
      true,
    );
  });

  it.each<[string, Partial<AgentEvent>]>([
    ['data', { data: { ...shown.data, agent_id: 'other' } }],
    ['nested data', { data: { configuration: { http_methods: ['POST'], price_schedule: null } } }],
    ['data that the leaf lacks', { data: { ...shown.data, more: 1 } }],
    ['nothing that the leaf lacks', { data: { ...shown.data, more: null } }],
    ['less than the leaf', { data: { agent_id: 'shop' } }],
    ['credential', { actor: { ...shown.actor, credentials: ['signature'] } }],
    ['named key', { actor: { ...shown.actor, key_id: 'k-1' } }],
    ['position', { position: '8' }],
    ['id', { event_id: 'e8' }],
    ['type', { type: 'AgentRetired' }],
    ['time', { recorded_at: '2026-01-15T09:30:00.121Z' }],
    ['request', { request_id: 'r-2' }],
    ['trace', { traceparent: '00-a' }],
    ['agent', { actor: { ...shown.actor, id: 'other' } }],
    ['kind of actor', { actor: { ...shown.actor, kind: 'admin' } }],
  ])('does not say another %s', (_what, change) => {
    expect(isViewOf({ ...shown, ...change }, entry)).toBe(false);
  });
});
