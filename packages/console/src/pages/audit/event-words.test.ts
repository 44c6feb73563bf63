import type { AgentEvent, LoggedEvent } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { actorText, requestOf, type ShownEvent } from './event-words.ts';

const logged = (metadata: Record<string, unknown>): ShownEvent =>
  ({ leaf_hash: '00', metadata }) as unknown as LoggedEvent;
const owned = (fields: Partial<AgentEvent>): ShownEvent => fields as AgentEvent;

describe('who caused an event', () => {
  it.each([
    [logged({ actor: { kind: 'agent', id: 'shop', credentials: ['agent_key'] } }), 'agent shop, by agent_key'],
    [logged({ actor: { kind: 'system', credentials: [] } }), 'system'],
    [logged({}), 'unknown'],
    [logged({ actor: { kind: 7, credentials: 'none' } }), 'unknown'],
    [owned({ actor: { kind: 'organisation', id: 'Acme', credentials: null } }), 'organisation Acme'],
  ])('%#', (event, text) => {
    expect(actorText(event)).toBe(text);
  });

  it('is found again by the id of its request', () => {
    expect(requestOf(logged({ correlationId: 'r-1' }))).toBe('r-1');
    expect(requestOf(logged({ correlationId: 1 }))).toBeNull();
    expect(requestOf(owned({ request_id: 'r-2' }))).toBe('r-2');
  });
});
