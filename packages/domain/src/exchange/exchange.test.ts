import type { ExchangeEvent } from '@agent-trust/contracts';
import fc from 'fast-check';
import { DomainError } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { fold } from '../decider.ts';
import {
  answerCommand,
  atSecond,
  exchangeCompleted,
  exchangeStarted,
  givenFor,
  reviewCommand,
} from '../testing/index.ts';
import type { ExchangeCommand } from './commands.ts';
import { exchangeDecider } from './decider.ts';

const given = givenFor(exchangeDecider);
const { startedAt: _started, ...opening } = exchangeStarted().data;
const start: ExchangeCommand = { type: 'StartExchange', ...opening, now: atSecond(0) };
const { statusCode, responseDigest, responseBytes, durationMs } = exchangeCompleted().data;
const complete: ExchangeCommand = {
  type: 'CompleteExchange',
  statusCode,
  responseDigest,
  responseBytes,
  durationMs,
  now: atSecond(1),
};
const fail: ExchangeCommand = { type: 'FailExchange', reason: 'timeout', durationMs: 30_000, now: atSecond(1) };
const abandon: ExchangeCommand = { type: 'AbandonExchange', now: atSecond(1) };
const parties = {
  transactionId: 'tx-1',
  callerAgentId: 'caller',
  receiverAgentId: 'receiver',
  universe: opening.universe,
};
const failed: ExchangeEvent = {
  type: 'ExchangeFailed',
  data: { ...parties, reason: 'timeout', durationMs: 30_000, failedAt: atSecond(1) },
};
const abandoned: ExchangeEvent = { type: 'ExchangeAbandoned', data: { ...parties, abandonedAt: atSecond(1) } };

describe('an exchange', () => {
  it('starts once', () => {
    given([]).when(start).then([exchangeStarted()]);
    expect(() => given([exchangeStarted()]).when(start).thenNothing()).toThrow(/started already/);
  });

  it.each([
    ['completed', complete, exchangeCompleted()],
    ['failed', fail, failed],
    ['abandoned', abandon, abandoned],
  ])('ends once: %s', (_, command, end) => {
    given([exchangeStarted()]).when(command).then([end]);
    for (const later of [complete, fail, abandon]) given([exchangeStarted(), end]).when(later).thenNothing();
  });

  it('cannot end before it starts', () => {
    expect(() => given([]).when(complete).thenNothing()).toThrow(/never started/);
  });

  it('has at most one start, one end, one review and one answer to it, in that order, after any commands', () => {
    const command = fc.constantFrom<ExchangeCommand>(complete, fail, abandon, reviewCommand(), answerCommand());
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const history: ExchangeEvent[] = [exchangeStarted()];
        for (const next of commands) {
          try {
            history.push(...exchangeDecider.decide(next, fold(exchangeDecider, history)));
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
          }
        }
        const shape = history.map(({ type }) => type.replace(/Completed|Failed|Abandoned/, 'Ended')).join(' ');
        expect(shape).toMatch(/^ExchangeStarted( ExchangeEnded( ExchangeReviewed( ReviewAnswered)?)?)?$/);
      }),
    );
  });
});
