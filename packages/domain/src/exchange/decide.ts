import type { ExchangeEvent, ExchangeStarted } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { reviewExchange } from '../review/decide.ts';
import type { ExchangeCommand, StartExchange } from './commands.ts';
import { ensureNotStarted, exchangeToEnd } from './one-start-one-end.ts';
import { type ExchangeState, partiesOf } from './state.ts';

/** One start, one end, at most one review. Only a review can be refused; see review/decide.ts. */
export function decideExchange(command: ExchangeCommand, state: ExchangeState): ExchangeEvent[] {
  switch (command.type) {
    case 'StartExchange':
      ensureNotStarted(state, command.transactionId);
      return [exchangeStarted(command)];
    case 'CompleteExchange':
    case 'FailExchange':
    case 'AbandonExchange': {
      const started = exchangeToEnd(state);
      return started === null ? [] : [endOf(command, partiesOf(started))];
    }
    case 'ReviewExchange':
      return reviewExchange(command, state);
    default:
      return unreachable(command);
  }
}

const exchangeStarted = (command: StartExchange): ExchangeStarted => ({
  type: 'ExchangeStarted',
  data: {
    transactionId: command.transactionId,
    callerAgentId: command.callerAgentId,
    receiverAgentId: command.receiverAgentId,
    universe: command.universe,
    messageProtocol: command.messageProtocol,
    httpMethod: command.httpMethod,
    streaming: command.streaming,
    requestDigest: command.requestDigest,
    requestBytes: command.requestBytes,
    startedAt: command.now,
    endsWithinMs: command.endsWithinMs,
  },
});

type EndCommand = Extract<ExchangeCommand, { type: 'CompleteExchange' | 'FailExchange' | 'AbandonExchange' }>;

const endOf = (command: EndCommand, parties: ReturnType<typeof partiesOf>): ExchangeEvent => {
  switch (command.type) {
    case 'CompleteExchange':
      return {
        type: 'ExchangeCompleted',
        data: {
          ...parties,
          statusCode: command.statusCode,
          responseDigest: command.responseDigest,
          responseBytes: command.responseBytes,
          durationMs: command.durationMs,
          completedAt: command.now,
        },
      };
    case 'FailExchange':
      return {
        type: 'ExchangeFailed',
        data: { ...parties, reason: command.reason, durationMs: command.durationMs, failedAt: command.now },
      };
    case 'AbandonExchange':
      return { type: 'ExchangeAbandoned', data: { ...parties, abandonedAt: command.now } };
    default:
      return unreachable(command);
  }
};
