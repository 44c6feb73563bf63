import type { ExchangeEvent, ExchangeStarted } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';
import { answerReview } from './answer.ts';
import { reviewExchange } from './review.ts';
import type { ExchangeCommand, StartExchange } from './commands.ts';
import { evolveExchange, type ExchangeState, partiesOf } from './state.ts';

/** The rules of an exchange's stream (`exchangeStream(transactionId)`): one start, one end, at most one review and one answer to it. Only these two can be refused. */
export const exchangeDecider: Decider<ExchangeCommand, ExchangeState, ExchangeEvent> = {
  initialState: { kind: 'absent' },
  evolve: evolveExchange,
  decide: (command, state) => {
    switch (command.type) {
      case 'StartExchange':
        return [startExchange(command, state)];
      case 'CompleteExchange':
      case 'FailExchange':
      case 'AbandonExchange':
        return endExchange(command, state);
      case 'ReviewExchange':
        return reviewExchange(command, state);
      case 'AnswerReview':
        return answerReview(command, state);
      default:
        return unreachable(command);
    }
  },
};

/** Transaction ids are random, so a second start is a fault of the program, not of a client. */
const startExchange = (exchange: StartExchange, state: ExchangeState): ExchangeStarted => {
  if (state.kind !== 'absent') throw new Error(`exchange ${exchange.transactionId} was started already`);
  return {
    type: 'ExchangeStarted',
    data: {
      transactionId: exchange.transactionId,
      callerAgentId: exchange.callerAgentId,
      receiverAgentId: exchange.receiverAgentId,
      universe: exchange.universe,
      messageProtocol: exchange.messageProtocol,
      httpMethod: exchange.httpMethod,
      streaming: exchange.streaming,
      requestDigest: exchange.requestDigest,
      requestBytes: exchange.requestBytes,
      startedAt: exchange.now,
      endsWithinMs: exchange.endsWithinMs,
    },
  };
};

type EndCommand = Extract<ExchangeCommand, { type: 'CompleteExchange' | 'FailExchange' | 'AbandonExchange' }>;

/** The first end stands: a proxy that finishes after its exchange was declared abandoned changes nothing, nor does a late abandonment. */
const endExchange = (command: EndCommand, state: ExchangeState): ExchangeEvent[] => {
  if (state.kind === 'absent') throw new Error('an exchange that was never started cannot end');
  if (state.kind !== 'started') return [];
  const parties = partiesOf(state);
  switch (command.type) {
    case 'CompleteExchange': {
      const { statusCode, responseDigest, responseBytes, durationMs, now: completedAt } = command;
      const data = { ...parties, statusCode, responseDigest, responseBytes, durationMs, completedAt };
      return [{ type: 'ExchangeCompleted', data }];
    }
    case 'FailExchange': {
      const { reason, durationMs, now: failedAt } = command;
      return [{ type: 'ExchangeFailed', data: { ...parties, reason, durationMs, failedAt } }];
    }
    case 'AbandonExchange':
      return [{ type: 'ExchangeAbandoned', data: { ...parties, abandonedAt: command.now } }];
    default:
      return unreachable(command);
  }
};
