import { DomainError } from '@agent-trust/contracts';
import type { AgentState, UnregisteredAgent } from '../state.ts';

/** An agent_id is one agent's for ever, in both universes: the agent's stream itself makes it unique. Refuses with `agent_id_taken`. */
export function ensureAgentIdFree(agentId: string, state: AgentState): UnregisteredAgent {
  if (state.kind === 'registered') {
    throw new DomainError('agent_id_taken', `agent_id ${JSON.stringify(agentId)} is taken`);
  }
  return state;
}
