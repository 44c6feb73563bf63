import { DomainError } from '@agent-trust/contracts';
import type { AgentState, RegisteredAgent } from '../state.ts';

/**
 * What is cloned lives in production and is the same organisation's. Any other agent is as good as unknown, so that nobody learns from
 * a refusal which ids are taken. Refuses with `agent_not_found`.
 */
export function ensureCloneable(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  if (state.kind === 'registered' && state.universe.kind === 'production' && state.orgId === orgId) return state;
  throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is not a live agent of this organisation`);
}
