/**
 * Bug: the gateway gives a call up while its proxy still records the agent's answer, so the answer is lost behind a 503.
 * Method: the gateway waits for the sum of `callWaitsMs`, so the test compares each wait of the proxy with its part of the sum, including waits
 * that other packages limit. Waits that are limited by attempts run against a log that uses its whole timeout and then fails.
 */
import { callMarginMs, callOverheadMs, callWaitsMs, production } from '@agent-trust/contracts';
import { type AppendOptions, type EventLog, EventLogUnavailableError, eventLogLimits } from '@agent-trust/event-log';
import { proxyLimits } from '@agent-trust/proxy-kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EndUnrecordedError } from './exchange/exchange-record.ts';
import { openExchange } from './exchange/exchange-record.ts';
import { exchangeEndsWithinMs } from './exchange/record-call.ts';
import { refuseIfMade } from './exchange/refuse-if-made.ts';
import type { Call } from './call.ts';

afterEach(() => vi.useRealTimers());

const callTimeoutMs = 30_000;

/** A log whose appends fail at their deadline, and whose reads never return. */
const slowLog = (appendsThatPass: number): Pick<EventLog, 'append' | 'readStream'> => {
  let appends = 0;
  return {
    append: async (_stream, _events, options: AppendOptions) => {
      appends += 1;
      if (appends <= appendsThatPass) return { position: 1n, revision: 0n } as never;
      await new Promise((resolve) => setTimeout(resolve, options.deadlineMs ?? eventLogLimits.appendDeadlineMs));
      throw new EventLogUnavailableError('down');
    },
    readStream: () => new Promise(() => undefined),
  };
};

const open = (log: Pick<EventLog, 'append'>) =>
  openExchange(
    { log: log as EventLog, newId: () => crypto.randomUUID(), now: () => new Date() },
    { transactionId: 't', callerAgentId: 'a', receiverAgentId: 'b', universe: production },
    {
      messageProtocol: 'raw',
      httpMethod: 'POST',
      streaming: false,
      requestDigest: '0'.repeat(64),
      requestBytes: 0,
      endsWithinMs: 1,
    },
    { correlationId: crypto.randomUUID(), causationId: crypto.randomUUID(), actor: { kind: 'agent', id: 'a' } },
  );

/** The duration of failing work, by a fake clock that jumps from one wait to the next. */
const failsAfterMs = async (work: () => Promise<unknown>): Promise<{ error: unknown; tookMs: number }> => {
  vi.useFakeTimers();
  const startedAt = Date.now();
  const failed = work().then(
    () => ({ error: null, tookMs: Date.now() - startedAt }),
    (error: unknown) => ({ error, tookMs: Date.now() - startedAt }),
  );
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  return failed;
};

describe('a wait of a proxy', () => {
  it('for the recorded start of an exchange is within its part', async () => {
    const { error, tookMs } = await failsAfterMs(() => open(slowLog(0)));
    expect(error).toBeInstanceOf(EventLogUnavailableError);
    expect(tookMs).toBe(callWaitsMs.startRecord);
  });

  it.each(['complete', 'fail'] as const)('for the recorded end of an exchange is within its part: %s', async (how) => {
    const { error, tookMs } = await failsAfterMs(async () => {
      const exchange = await open(slowLog(1));
      return how === 'fail'
        ? exchange.fail('timeout')
        : exchange.complete({ statusCode: 200, responseDigest: '0'.repeat(64), responseBytes: 0 });
    });
    expect(error).toBeInstanceOf(EndUnrecordedError);
    expect(tookMs).toBeLessThanOrEqual(callWaitsMs.endRecord);
    expect(tookMs).toBeGreaterThan(callWaitsMs.endRecord / 2);
  });

  it('for the outcome under an idempotency key is within its part', async () => {
    const call = {
      deps: { log: slowLog(0), newId: () => crypto.randomUUID(), now: () => new Date() },
      input: { commandId: crypto.randomUUID() },
    } as unknown as Call;
    const { error, tookMs } = await failsAfterMs(() => refuseIfMade(call));
    expect(error).toBeInstanceOf(EventLogUnavailableError);
    expect(tookMs).toBe(callWaitsMs.madeLookup);
  });

  it('that another package limits is within its part', () => {
    expect(proxyLimits.recordTimeoutMs + proxyLimits.outboxTimeoutMs).toBeLessThanOrEqual(callWaitsMs.settlementRecord);
    expect(proxyLimits.demandTimeoutMs).toBeLessThanOrEqual(callWaitsMs.demandLookup);
    expect(proxyLimits.demandTimeoutMs).toBeLessThanOrEqual(callWaitsMs.demandKeep);
  });
});

describe('all waits together', () => {
  it("are the gateway's wait beyond the agent's time", () => {
    const sum = Object.values(callWaitsMs).reduce((one, other) => one + other, 0);
    expect(callOverheadMs).toBe(sum + callMarginMs);
  });

  it('end before an exchange counts as abandoned', () => {
    const afterStart = callWaitsMs.settlementRecord + callWaitsMs.endRecord;
    expect(exchangeEndsWithinMs(false, callTimeoutMs)).toBeGreaterThan(
      callWaitsMs.startRecord + callTimeoutMs + afterStart,
    );
  });
});
