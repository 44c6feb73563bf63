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
  | ({ kind: 'ended' } & ExchangeParties)
  | ({ kind: 'reviewed' } & ExchangeParties)
  | ({ kind: 'answered' } & ExchangeParties);

export function partiesOf(data: ExchangeParties): ExchangeParties {
  return {
    transactionId: data.transactionId,
    callerAgentId: data.callerAgentId,
    receiverAgentId: data.receiverAgentId,
    universe: data.universe,
  };
}

/** The state of an exchange that has ended and is not reviewed. */
export function endedExchange(parties: ExchangeParties): ExchangeState {
  return { kind: 'ended', ...partiesOf(parties) };
}

/** Each event names the parties, so none needs those before it. */
export function evolveExchange(_state: ExchangeState, event: ExchangeEvent): ExchangeState {
  switch (event.type) {
    case 'ExchangeStarted':
      return { kind: 'started', ...partiesOf(event.data) };
    case 'ExchangeCompleted':
    case 'ExchangeFailed':
    case 'ExchangeAbandoned':
      return endedExchange(event.data);
    case 'ExchangeReviewed':
      return { kind: 'reviewed', ...partiesOf(event.data) };
    case 'ReviewAnswered':
      return { kind: 'answered', ...partiesOf(event.data) };
    default:
      return unreachable(event);
  }
}
