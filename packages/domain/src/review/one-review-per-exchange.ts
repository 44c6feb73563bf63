import { DomainError, sameUniverse } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { type ExchangeParties, type ExchangeState, partiesOf } from '../exchange/state.ts';
import type { ReviewExchange } from './commands.ts';

/**
 * Rule C: an exchange of this caller with this receiver, ended in whatever way, is reviewed once. The review stands in the
 * exchange's own stream, so of many at once exactly one meets the expected revision.
 *
 * Refuses with `no_unreviewed_exchange` (none of this pair, or not ended yet; another pair's is none) or `already_reviewed`.
 */
export function ensureUnreviewedExchange(command: ReviewExchange, state: ExchangeState): ExchangeParties {
  const none = new DomainError(
    'no_unreviewed_exchange',
    `there is no unreviewed exchange of ${JSON.stringify(command.reviewer.agentId)} with ${JSON.stringify(command.receiver.agentId)}`,
  );
  if (state.kind === 'absent' || !isOfPair(command, state)) throw none;
  switch (state.kind) {
    case 'started':
      throw none;
    case 'reviewed':
      throw new DomainError(
        'already_reviewed',
        `exchange ${JSON.stringify(command.transactionId)} was reviewed already`,
      );
    case 'ended':
      return partiesOf(state);
    default:
      return unreachable(state);
  }
}

const isOfPair = ({ reviewer, receiver }: ReviewExchange, exchange: ExchangeParties): boolean =>
  exchange.callerAgentId === reviewer.agentId &&
  exchange.receiverAgentId === receiver.agentId &&
  sameUniverse(exchange.universe, reviewer.universe);
