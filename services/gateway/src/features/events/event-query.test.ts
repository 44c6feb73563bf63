import { DomainError } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { askedMode, type EventsQuery, followedFrom } from './event-query.ts';

const request = (headers: Record<string, string> = {}): FastifyRequest => ({ headers }) as unknown as FastifyRequest;
const mode = (query: Partial<EventsQuery>, accept?: string): string =>
  askedMode(request(accept === undefined ? {} : { accept }), { order: 'asc', ...query });
const faults = (query: Partial<EventsQuery>, accept?: string): unknown => {
  try {
    return mode(query, accept);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.items?.map(({ loc }) => loc.join('.'));
  }
};

describe('the form of the answer', () => {
  it('follows the query, else Accept, else it is a page', () => {
    expect([mode({}), mode({}, '*/*'), mode({}, 'application/json')]).toEqual(['page', 'page', 'page']);
    expect([mode({ follow: 'true' }), mode({}, 'text/event-stream')]).toEqual(['follow', 'follow']);
    expect([mode({ format: 'jsonl' }), mode({}, 'application/x-ndjson;q=1, */*')]).toEqual(['export', 'export']);
    expect(mode({}, 'Text/Event-Stream; q=0.5')).toBe('follow');
    expect([mode({}, 'text/event-stream;q=0'), mode({}, 'application/x-ndjson; Q=0.00, */*')]).toEqual([
      'page',
      'page',
    ]);
    expect(mode({ format: 'json' }, 'application/x-ndjson')).toBe('page');
    expect(mode({ follow: 'false' }, 'text/event-stream')).toBe('page');
    expect(mode({ format: 'jsonl' }, 'text/event-stream')).toBe('export');
  });

  it('is refused if query and Accept contradict each other', () => {
    expect(faults({ follow: 'true', format: 'jsonl' })).toEqual(['query.format']);
    expect(faults({ limit: 5, order: 'desc' }, 'application/x-ndjson')).toEqual(['query.limit', 'query.order']);
    const bounded = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', before: '7', limit: 5 };
    expect(faults({ follow: 'true', ...bounded })).toEqual(['query.from', 'query.to', 'query.before', 'query.limit']);
    expect(mode({ format: 'jsonl', from: bounded.from, to: bounded.to, before: '7', after: '3' })).toBe('export');
  });
});

describe('the start of a follower', () => {
  it('is after the last event that it had, else after the named one, else now', () => {
    const from = (query: Partial<EventsQuery>, headers = {}): string | null =>
      followedFrom(request(headers), { order: 'asc', ...query });
    expect(from({ after: '3' }, { 'last-event-id': '9' })).toBe('9');
    expect(from({ after: '3' }, { 'last-event-id': '' })).toBe('3');
    expect(from({})).toBeNull();
    expect(() => from({}, { 'last-event-id': 'x' })).toThrow(DomainError);
  });
});
