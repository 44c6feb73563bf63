import type { ExchangeEvent, Universe } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';

/** The fields that every event of an exchange repeats. */
export type ExchangeParties = {
  transactionId: string;
  callerAgentId: string;
  receiverAgentId: string;
  universe: Universe;
};

export type ExchangeState =
  | { kind: 'absent' }
  | ({ kind: 'started' } & ExchangeParties)
  | ({ kind: 'ended'; outcome: 'completed' | 'failed' | 'abandoned' } & ExchangeParties)
  | ({ kind: 'reviewed' } & ExchangeParties);

export function partiesOf(data: ExchangeParties): ExchangeParties {
  return {
    transactionId: data.transactionId,
    callerAgentId: data.callerAgentId,
    receiverAgentId: data.receiverAgentId,
    universe: data.universe,
  };
}

/** Each event names the parties, so none needs those before it. */
export function evolveExchange(_state: ExchangeState, event: ExchangeEvent): ExchangeState {
  switch (event.type) {
    case 'ExchangeStarted':
      return { kind: 'started', ...partiesOf(event.data) };
    case 'ExchangeCompleted':
      return { kind: 'ended', outcome: 'completed', ...partiesOf(event.data) };
    case 'ExchangeFailed':
      return { kind: 'ended', outcome: 'failed', ...partiesOf(event.data) };
    case 'ExchangeAbandoned':
      return { kind: 'ended', outcome: 'abandoned', ...partiesOf(event.data) };
    case 'ExchangeReviewed':
      return { kind: 'reviewed', ...partiesOf(event.data) };
    default:
      return unreachable(event);
  }
}
