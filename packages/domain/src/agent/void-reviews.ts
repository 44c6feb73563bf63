import type { ReviewsVoided } from '@agent-trust/contracts';
import type { VoidReviews } from './commands.ts';
import { type AgentState, ensureRegisteredAgent } from './state.ts';

/** The reviews must be of this agent: who sends the command has looked them up. Refuses with agent_not_found. */
export function voidReviews({ agentId, transactionIds, reason, now }: VoidReviews, state: AgentState): ReviewsVoided[] {
  ensureRegisteredAgent(agentId, state);
  if (transactionIds.length === 0) return [];
  return [{ type: 'ReviewsVoided', data: { agentId, transactionIds: [...transactionIds], reason, voidedAt: now } }];
}
