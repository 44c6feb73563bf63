import {
  DomainError,
  type OwnerAuthority,
  type ReviewAnswered,
  sameUniverse,
  type SealedText,
} from '@agent-trust/contracts';
import { ensureInService } from '../agent/block.ts';
import { ensureOwner } from '../agent/owner.ts';
import type { AgentState, RegisteredAgent } from '../agent/state.ts';
import { unreachable } from '../decider.ts';
import { type ExchangeParties, type ExchangeState, partiesOf } from './state.ts';

/** `agent` is the one that its owner answers for, where it is now; `answer` is sealed with its key. `now` is RFC 3339. */
export type AnswerReview = {
  type: 'AnswerReview';
  transactionId: string;
  agent: Pick<RegisteredAgent, 'agentId' | 'universe'>;
  answer: SealedText;
  now: string;
};

/** Who may answer for an agent: its owner, unless the agent is blocked. Refusals: those of `ensureOwner`, agent_suspended, agent_retired. */
export function ensureMayAnswer(agentId: string, authority: OwnerAuthority, state: AgentState): RegisteredAgent {
  const agent = ensureOwner(agentId, authority, state);
  ensureInService(agent);
  return agent;
}

/** Records the one answer to a review. Refusals: review_not_found, already_answered. */
export function answerReview(command: AnswerReview, state: ExchangeState): ReviewAnswered[] {
  const parties = ensureUnansweredReview(command, state);
  return [{ type: 'ReviewAnswered', data: { ...parties, answer: command.answer, answeredAt: command.now } }];
}

/**
 * Only the reviewed agent's owner learns whether there is a review: an exchange of others, or of another universe than the agent is in, is
 * refused as one without. The answer is in the exchange's own stream, so exactly one of many concurrent answers meets the expected revision.
 */
export function ensureUnansweredReview(
  { transactionId, agent }: Pick<AnswerReview, 'transactionId' | 'agent'>,
  state: ExchangeState,
): ExchangeParties {
  const none = new DomainError(
    'review_not_found',
    `agent ${JSON.stringify(agent.agentId)} has no review of exchange ${JSON.stringify(transactionId)}`,
  );
  if (state.kind === 'absent' || state.receiverAgentId !== agent.agentId) throw none;
  if (!sameUniverse(state.universe, agent.universe)) throw none;
  switch (state.kind) {
    case 'started':
    case 'ended':
      throw none;
    case 'answered':
      throw new DomainError(
        'already_answered',
        `the review of exchange ${JSON.stringify(transactionId)} was answered already`,
      );
    case 'reviewed':
      return partiesOf(state);
    default:
      return unreachable(state);
  }
}
