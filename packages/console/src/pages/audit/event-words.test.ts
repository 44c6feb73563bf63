import type { AgentEvent, LoggedEvent } from '@agent-trust/client';
import { describe, expect, it } from 'vitest';
import { actorText, callOf, causeOf, requestOf, type ShownEvent, traceparentOf } from './event-words.ts';

const logged = (metadata: Record<string, unknown>): ShownEvent => ({ metadata }) as unknown as LoggedEvent;
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

  it('belongs to a call, if the event is one of its exchange', () => {
    expect(callOf(owned({ type: 'ExchangeReviewed', data: { transaction_id: 't-1' } }))).toBe('t-1');
    expect(callOf(owned({ type: 'ExchangeStarted', data: { transactionId: 't-2' } }))).toBe('t-2');
    expect(callOf(owned({ type: 'SettlementRecorded', data: { call_ref: 't-3' } }))).toBe('t-3');
    expect(callOf(owned({ type: 'SettlementRecorded', data: { callRef: null } }))).toBeNull();
    expect(callOf(owned({ type: 'ExchangesArchived', data: { transactionId: 't-4' } }))).toBeNull();
    expect(callOf(owned({ type: 'ExchangeStarted', data: {} }))).toBeNull();
  });

  it('is what its call had come to: its end for a review and a later payment, its start for a payment within it', () => {
    const at = (type: string, position: string): ShownEvent => owned({ type, position, data: {} });
    // A position is no number: 9 is before 10.
    const start = at('ExchangeStarted', '9');
    const within = at('SettlementRecorded', '10');
    const end = at('ExchangeCompleted', '11');
    const later = at('SettlementRecorded', '100');
    const review = at('ExchangeReviewed', '101');
    const answer = at('ReviewAnswered', '102');
    const voiding = at('ReviewsVoided', '103');
    const ofCall = [start, within, end, later, review, answer, voiding];
    expect(ofCall.map((event) => causeOf(event, ofCall)?.type)).toEqual([
      undefined,
      'ExchangeStarted',
      'ExchangeStarted',
      'ExchangeCompleted',
      'ExchangeCompleted',
      'ExchangeReviewed',
      undefined,
    ]);
  });

  it('is found again by the id of its request', () => {
    expect(requestOf(logged({ correlationId: 'r-1' }))).toBe('r-1');
    expect(requestOf(logged({ correlationId: 1 }))).toBeNull();
    expect(requestOf(owned({ request_id: 'r-2' }))).toBe('r-2');
  });

  it('has the trace of its request where its reader sees it', () => {
    expect(traceparentOf(logged({ traceparent: '00-a' }))).toBe('00-a');
    expect(traceparentOf(owned({ traceparent: '00-b' }))).toBe('00-b');
    expect(traceparentOf(owned({ traceparent: null }))).toBeNull();
  });
});
