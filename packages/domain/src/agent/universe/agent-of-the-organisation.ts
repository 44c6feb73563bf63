import { DomainError } from '@agent-trust/contracts';
import type { AgentState, RegisteredAgent } from '../state.ts';

/**
 * An organisation moves and promotes its own agents. Any other agent is as good as unknown, so that nobody learns from a refusal which
 * ids are taken. Refuses with `agent_not_found`.
 */
export function ensureOwnAgent(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  if (state.kind === 'registered' && state.orgId === orgId) return state;
  throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is not an agent of this organisation`);
}
