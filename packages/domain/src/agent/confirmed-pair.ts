import { DomainError } from '@agent-trust/contracts';
import type { AgentState, RegisteredAgent } from './state.ts';

/**
 * A sandbox agent and the live agent that it is the clone of, each naming the other in its own stream. `liveAgentId` is the one that was
 * asked for; any other agent, known or not, gets the one refusal `not_a_confirmed_pair`, so that nobody learns which ids are taken.
 */
export function ensureConfirmedPair(draft: RegisteredAgent, liveAgentId: string, live: AgentState): RegisteredAgent {
  const isConfirmed =
    live.kind === 'registered' &&
    draft.relatedAgentId === liveAgentId &&
    live.relatedAgentId === draft.agentId &&
    draft.orgId === live.orgId &&
    draft.universe.kind === 'sandbox' &&
    live.universe.kind === 'production';
  if (isConfirmed) return live;
  throw new DomainError(
    'not_a_confirmed_pair',
    `agents ${JSON.stringify(draft.agentId)} and ${JSON.stringify(liveAgentId)} are not a confirmed pair of a sandbox clone and its live agent`,
  );
}
