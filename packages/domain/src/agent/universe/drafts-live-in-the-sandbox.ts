import { DomainError } from '@agent-trust/contracts';
import type { AgentState, RegisteredAgent } from '../state.ts';
import { ensureOwnAgent } from './agent-of-the-organisation.ts';

/** What is promoted is a sandbox agent of the organisation. Refusals, in this order: agent_not_found, wrong_universe. */
export function ensureDraft(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  const draft = ensureOwnAgent(agentId, orgId, state);
  if (draft.universe.kind === 'sandbox') return draft;
  throw new DomainError(
    'wrong_universe',
    `agent ${JSON.stringify(agentId)} lives in production; only a sandbox agent is promoted`,
  );
}

/** The live agent that a draft is promoted onto: the one asked for, else the one it is paired with. Refuses with `not_a_confirmed_pair`. */
export function liveAgentIdOf(draft: RegisteredAgent, asked: string | null): string {
  const liveAgentId = asked ?? draft.relatedAgentId;
  if (liveAgentId !== null) return liveAgentId;
  throw new DomainError(
    'not_a_confirmed_pair',
    `agent ${JSON.stringify(draft.agentId)} is not the clone of a live agent; publish moves it into production itself`,
  );
}
