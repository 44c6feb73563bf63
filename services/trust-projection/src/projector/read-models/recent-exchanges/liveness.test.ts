import { runs } from '@agent-trust/test-kit/runs';
import { agentStream, exchangeFailureReason } from '@agent-trust/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appliedRows } from '../../../testing/applied-rows.ts';
import { directLiveness } from '../../../testing/direct-liveness.ts';
import {
  agentRegistered,
  exchangeAbandoned,
  exchangeCompleted,
  exchangeFailed,
  exchangeStarted,
  type MadeEvent,
} from '../../../testing/made-events.ts';
import { agentStandings } from '../agent-standing/tables.ts';
import type { EndedExchange } from './ended-exchange.ts';
import { livePrefix, livenessText, livenessView } from './liveness.ts';
import { withExchange } from './packed-exchanges.ts';

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);

const ended = (changes: Partial<EndedExchange> = {}): EndedExchange => ({
  beganMs: startMs,
  outcome: 'answered',
  answerMs: 40,
  callerOrgId: null,
  ...changes,
});
const packedOf = (exchanges: readonly EndedExchange[]): string => exchanges.reduce(withExchange, '');
const viewOf = (...exchanges: EndedExchange[]) => livenessView(livenessText(packedOf(exchanges)));
/** A second apart, in the order of the letters: answered, failed, timed out. */
const outcomes = (letters: string): EndedExchange[] =>
  Array.from(letters, (letter, at) =>
    ended({
      beganMs: startMs + at * 1_000,
      outcome: letter === 'a' ? 'answered' : letter === 'f' ? 'failed' : 'timed_out',
      answerMs: letter === 'a' ? (at + 1) * 10 : 0,
    }),
  );

describe('the liveness of an agent', () => {
  it('says how often, how fast and for whom it answered', () => {
    const [first, second, third, fourth] = outcomes('aata') as [EndedExchange, ...EndedExchange[]];
    const of = (exchange: EndedExchange | undefined, callerOrgId: string | null) => ended({ ...exchange, callerOrgId });
    expect(viewOf(of(first, 'acme'), of(second, 'globex'), of(third, 'acme'), of(fourth, null))).toEqual({
      live: true,
      lastAnsweredAt: new Date(startMs + 3_000 + 40).toISOString(),
      successRate: 0.75,
      p50AnswerMs: 20,
      p95AnswerMs: 40,
      timeoutShare: 0.25,
      callerOrganisations: 2,
      exchanges: 4,
    });
  });

  it('is null before the first exchange, and has no times without an answer', () => {
    expect(livenessView(null)).toBeNull();
    const none = { live: false, lastAnsweredAt: null, successRate: 0, p50AnswerMs: null, p95AnswerMs: null };
    expect(viewOf(...outcomes('ft'))).toMatchObject({ ...none, timeoutShare: 0.5, callerOrganisations: 0 });
  });

  it.each([
    ['a', true],
    ['f', false],
    ['af', true],
    ['aff', false],
    ['afa', true],
    ['aaff', true],
    ['aaafff', false],
    ['aaaftt', false],
    ['aaaaff', true],
    ['fffaaa', true],
    ['ffffaaa', false],
  ])('of the outcomes %s is live: %s', (letters, live) => {
    const text = livenessText(packedOf(outcomes(letters)));
    expect([livenessView(text)?.live, text.startsWith(livePrefix)]).toEqual([live, live]);
  });

  it('is of the last hundred exchanges, and of those that began at most thirty days before the newest', () => {
    expect(viewOf(...outcomes('f'.repeat(20) + 'a'.repeat(100)))).toMatchObject({ exchanges: 100, successRate: 1 });
    const at = (beganMs: number) => ended({ beganMs });
    const newest = startMs + 30 * dayMs;
    expect(viewOf(at(startMs - 1), at(startMs), at(newest))?.exchanges).toBe(2);
    // One that comes late, and is too old by then.
    expect(viewOf(at(newest), at(startMs), at(startMs - 1))?.exchanges).toBe(2);
  });

  it('keeps what fits into a fixed width, and nothing more of it', () => {
    const odd = [ended({ answerMs: 1e12 }), ended({ answerMs: -5 }), ended({ beganMs: -1, answerMs: 7 })];
    for (const one of odd) expect(viewOf(one)?.exchanges).toBe(1);
    expect(viewOf(ended({ answerMs: 1e12 }))?.p50AnswerMs).toBe(36 ** 5 - 1);
  });
});

const anyEnded: fc.Arbitrary<EndedExchange> = fc.record({
  // Many at the same moment.
  beganMs: fc.integer({ min: 0, max: 60 }).map((days) => startMs + days * dayMs),
  outcome: fc.constantFrom('answered', 'answered', 'failed', 'timed_out'),
  answerMs: fc.integer({ min: 0, max: 5 }),
  callerOrgId: fc.constantFrom(null, 'acme', 'globex'),
});

it('is the same in whatever order the log names the exchanges', () => {
  fc.assert(
    fc.property(
      fc.array(anyEnded, { minLength: 1, maxLength: 260, size: 'max' }),
      fc.infiniteStream(fc.nat()),
      (all, draws) => {
        const keys = new Map(all.map((one) => [one, draws.next().value as number]));
        const shuffled = all.toSorted((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0));
        expect(packedOf(shuffled)).toBe(packedOf(all));
      },
    ),
    { numRuns: runs(100, 2_000) },
  );
});

const callers = ['buyer-0', 'buyer-1', 'buyer-2', 'buyer-3'];
const receivers = ['seller-0', 'seller-1'];
const steps = fc.array(
  fc.record({
    caller: fc.constantFrom(...callers, ...receivers),
    // One of them is busy, so that it has more than are remembered.
    receiver: fc.integer({ min: 0, max: 9 }).map((number) => (number === 0 ? receivers[1] : receivers[0]) as string),
    pauseSeconds: fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(1, 30, 3_600) },
      { weight: 1, arbitrary: fc.constant(12 * 86_400) },
    ),
    lastsSeconds: fc.constantFrom(0, 1, 20, 900),
    // The clock of its proxy may be wrong.
    aheadSeconds: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 50, 400 * 86_400, -86_400),
    durationMs: fc.integer({ min: 0, max: 400_000 }).map((tenths) => tenths / 10),
    outcome: fc.constantFrom(
      'completed',
      'completed',
      'completed',
      ...exchangeFailureReason.options,
      'abandoned',
      'open',
    ),
    isSandbox: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    /** A caller that an organisation takes in meanwhile. */
    adopts: fc.option(fc.constantFrom(...callers), { freq: 1, nil: null }),
  }),
  { maxLength: 320, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** Beginnings are at different milliseconds, so that the definition says which of them is newer. */
const eventsOf = (made: readonly Step[]): { made: MadeEvent; recordedAt: Date }[] => {
  const events: { made: MadeEvent; atMs: number }[] = [];
  const text = (ms: number): string => new Date(ms).toISOString();
  let clock = startMs;
  for (const [at, agentId] of [...callers, ...receivers].entries()) {
    events.push({
      made: agentRegistered({ agentId, orgId: at % 2 === 0 ? `org${at}` : null }, text(clock)),
      atMs: clock,
    });
  }
  for (const [index, step] of made.entries()) {
    clock += step.pauseSeconds * 1_000;
    const { caller, receiver, outcome, adopts } = step;
    const universe = step.isSandbox ? ({ kind: 'sandbox', orgId: 'org0' } as const) : ({ kind: 'production' } as const);
    const parties = { transactionId: `t${index}`, callerAgentId: caller, receiverAgentId: receiver, universe };
    const startedMs = clock + index;
    const endedMs = startedMs + step.lastsSeconds * 1_000;
    const ahead = step.aheadSeconds * 1_000;
    events.push({ made: exchangeStarted(parties, text(startedMs + ahead)), atMs: startedMs });
    if (adopts !== null) {
      const data = { agentId: adopts, orgId: `org${index % 7}`, orgName: 'Adopters', adoptedAt: text(startedMs) };
      events.push({ made: { stream: agentStream(adopts), event: { type: 'AgentAdopted', data } }, atMs: startedMs });
    }
    const end = text(endedMs + ahead);
    if (outcome === 'completed') {
      events.push({ made: exchangeCompleted(parties, end, 500, step.durationMs), atMs: endedMs });
    } else if (outcome === 'abandoned') events.push({ made: exchangeAbandoned(parties, end), atMs: endedMs });
    else if (outcome !== 'open') events.push({ made: exchangeFailed(parties, end, outcome), atMs: endedMs });
  }
  return events
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ made: event, atMs }) => ({ made: event, recordedAt: new Date(atMs) }));
};

/*
 * Bug: what follows the log event by event differs from what the events say: an exchange is counted twice, or too long, or one of a sandbox, one
 * that its caller gave up, or one of another agent; the caller's organisation is that of another time.
 * Method: the projections over plain maps, against a computation from the events alone, after every few of them.
 */
it('follows the log as its definition says', async () => {
  let busiest = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (made) => {
      const events = eventsOf(made);
      const it_ = await appliedRows();
      for (const [at, { made: event, recordedAt }] of events.entries()) {
        it_.apply(event, recordedAt);
        if (at % 13 !== 0 && at !== events.length - 1) continue;
        const log = events.slice(0, at + 1).map((one) => ({ event: one.made.event, recordedAt: one.recordedAt }));
        const direct = directLiveness(log);
        busiest = Math.max(busiest, direct.get('seller-0')?.exchanges ?? 0);
        for (const { agentId, liveness } of it_.rowsOf(agentStandings)) {
          expect([agentId, livenessView(liveness)]).toEqual([agentId, direct.get(agentId) ?? null]);
        }
      }
    }),
    { numRuns: runs(30, 600), endOnFailure: true },
  );
  expect(busiest).toBe(100);
});
