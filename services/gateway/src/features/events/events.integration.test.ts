/** Bugs: a broken export looks complete; a client that does not read exhausts memory; a follower outlives its limits, its key or the gateway. */
import {
  authenticateOrgKey,
  DomainError,
  listAgentEvents,
  listEvents,
  type LoggedEvent,
  type OwnedAgentEvent,
} from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { organisation, orgKey } from '../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';
import { eventsLimits } from './event-query.ts';

let under: GatewayUnderTest;
beforeEach(async () => {
  under = await startGatewayUnderTest();
  answerAsKnown(under.bus);
  return () => under.stop();
});
const open = new Set<AbortController>();
afterEach(() => {
  for (const one of open) one.abort();
  open.clear();
});

const admin = { authorization: `Bearer ${adminToken}` };
const get = (path: string, headers: Record<string, string> = admin): Promise<Response> => {
  const leaving = new AbortController();
  open.add(leaving);
  return fetch(`${under.url}${path}`, { headers, signal: leaving.signal });
};
const event = (position: number, data: Record<string, unknown> = {}): LoggedEvent => ({
  position: String(position),
  eventId: `e${position}`,
  stream: 's',
  revision: '0',
  type: 'T',
  recordedAt: '2026-01-01T00:00:00.000Z',
  metadata: {},
  data,
  operator: null,
  leafIndex: String(position - 1),
  archived: false,
  leafHash: '0'.repeat(64),
});
const ownedEvent: OwnedAgentEvent = {
  position: '12',
  eventId: 'e12',
  type: 'KeyRotated',
  recordedAt: '2026-01-01T00:00:00.000Z',
  universe: null,
  actor: { kind: 'agent', id: 'a', credentials: ['agent_key'] },
  requestId: null,
  causationId: null,
  traceparent: null,
  archived: false,
  data: {},
  leafIndex: '11',
  leafHash: '0'.repeat(64),
  entry: null,
};
/** Never answers, until the bus is closed. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', reject));
const none = { events: [], upTo: '9', seenTo: '9', isCut: false };

describe('an export', () => {
  it('fetches page after page up to the end of the log, and ends with a line that says so', async () => {
    const asked: unknown[] = [];
    under.bus.answer(listEvents, ({ after, before }) => {
      asked.push([after, before]);
      const position = Number(after ?? 0) + 1;
      return {
        events: [event(position)],
        upTo: after === null ? '3' : '99',
        seenTo: String(position),
        isCut: position < 3,
      };
    });
    const text = await (await get('/ops/events?format=jsonl')).text();
    expect(asked).toEqual([
      [null, null],
      ['1', '4'],
      ['2', '4'],
    ]);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ position }) => position)).toEqual(['1', '2', '3', undefined]);
    expect(lines.at(-1)).toEqual({ end_of_export: { events: 3, up_to_position: '3' } });
  });

  it('that fails in the middle breaks the connection, and has no last line', async () => {
    under.bus.answer(listEvents, ({ after }) => {
      if (after !== null) throw new DomainError('unavailable', 'gone');
      return { events: [event(1)], upTo: '3', seenTo: '1', isCut: true };
    });
    const response = await get('/ops/events?format=jsonl');
    let read = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) read += decoder.decode(chunk as Uint8Array);
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(read).not.toContain('end_of_export');
  });

  it('that fails at once returns an ordinary error', async () => {
    under.bus.answer(listEvents, () => {
      throw new DomainError('read_model_behind', 'behind');
    });
    const response = await get('/ops/events?format=jsonl');
    expect([response.status, ((await response.json()) as { code: unknown }).code]).toEqual([503, 'read_model_behind']);
  });

  it('reads the log no faster than its client reads', async () => {
    let chunks = 0;
    const filler = 'x'.repeat(1024 * 1024);
    under.bus.answer(listEvents, ({ after }) => {
      chunks += 1;
      const position = Number(after ?? 0) + 1;
      return { events: [event(position, { filler })], upTo: '500', seenTo: String(position), isCut: position < 500 };
    });
    const response = await get('/ops/events?format=jsonl');
    let before = -1;
    // Until it stops: the sockets on the way are full.
    await waitFor(
      () => {
        const stands = chunks === before;
        before = chunks;
        return stands;
      },
      { intervalMs: 300 },
    );
    expect(chunks).toBeLessThan(60);
    await response.body?.cancel();
  });
});

describe('a follower', () => {
  const follower = async (headers: Record<string, string> = admin, path = '/ops/events?follow=true') => {
    const response = await get(path, headers);
    const reported = { text: '', end: '' as '' | 'clean' | 'broken' };
    void (async () => {
      const decoder = new TextDecoder();
      try {
        for await (const chunk of response.body ?? []) reported.text += decoder.decode(chunk as Uint8Array);
        reported.end = 'clean';
      } catch {
        reported.end = 'broken';
      }
    })();
    return { response, reported };
  };

  it('starts with new events, and names each one by its position', async () => {
    const asked: unknown[] = [];
    under.bus.answer(listEvents, ({ after, order, waitMs }) => {
      asked.push([after, order, waitMs > 0]);
      return waitMs > 0 && after === '9' ? { events: [event(12)], upTo: '12', seenTo: '12', isCut: false } : none;
    });
    const { reported } = await follower();
    await waitFor(() => reported.text.includes('id: 12\ndata: {"position":"12"'));
    // Even before its first event, so that a client that is cut off by then misses nothing.
    expect(reported.text).toMatch(/^retry: \d+\nid: 9\n\n/u);
    expect(asked.slice(0, 2)).toEqual([
      [null, 'desc', false],
      ['9', 'asc', true],
    ]);
  });

  it('ends cleanly when the gateway stops', async () => {
    under.bus.answer(listEvents, ({ waitMs }, { signal }) => (waitMs > 0 ? aborted(signal) : none));
    const { reported } = await follower();
    await waitFor(() => reported.text.includes('retry: '));
    await under.stopGateway();
    await waitFor(() => reported.end !== '');
    expect(reported.end).toBe('clean');
    expect(reported.text).toContain(': come back with Last-Event-ID');
  });

  it('continues after faults of other services, and ends with a refusal', async () => {
    let state: 'away' | 'there' | 'refused' = 'away';
    under.bus.answer(listAgentEvents, ({ waitMs }) => {
      if (waitMs === 0) return none;
      if (state === 'away') throw new DomainError('read_model_behind', 'behind');
      if (state === 'refused') throw new DomainError('agent_not_found', 'gone');
      return none;
    });
    const { reported } = await follower({ 'x-api-key': orgKey }, '/org/agents/a/events?follow=true');
    await waitFor(() => reported.text.includes(': waiting for the log'));
    state = 'there';
    await waitFor(() => reported.text.includes(': still here'));
    state = 'refused';
    await waitFor(() => reported.end === 'clean');
    expect(reported.text).toContain('event: end\ndata: {"reason":"not_allowed_any_more"}');
  });

  it('gets no event after its key was replaced, even if its query had started before', async () => {
    let isReplaced = false;
    under.bus.answer(authenticateOrgKey, () => ({ organisation: isReplaced ? null : organisation }));
    under.bus.answer(listAgentEvents, ({ waitMs }) => {
      if (waitMs === 0) return none;
      isReplaced = true;
      return { events: [ownedEvent], upTo: '12', seenTo: '12', isCut: false };
    });
    const { reported } = await follower({ 'x-api-key': orgKey }, '/org/agents/a/events?follow=true');
    await waitFor(() => reported.end === 'clean');
    expect(reported.text).toContain('event: end\n');
    expect(reported.text).not.toContain('id: 12');
  });

  it('counts against a limit until it ends', async () => {
    under.bus.answer(listEvents, ({ waitMs }, { signal }) => (waitMs > 0 ? aborted(signal) : none));
    const statuses: number[] = [];
    for (let n = 0; n <= eventsLimits.streams.ownerMax; n += 1) statuses.push((await follower()).response.status);
    expect(statuses).toEqual([...Array<number>(eventsLimits.streams.ownerMax).fill(200), 503]);
    for (const one of open) one.abort();
    await waitFor(async () => (await follower()).response.status === 200);
  });
});
