import { DomainError, type OwnerAuthority, sameUniverse } from '@agent-trust/contracts';
import { unreachable } from '../decider.ts';
import { type AgentState, ensureRegisteredAgent, type RegisteredAgent } from './state.ts';

/**
 * Who acts for an agent: itself, its organisation with the key of its universe, or the operator. A sandbox agent is unknown to everybody
 * else. Refusals: agent_not_found, not_owner, wrong_universe.
 */
export function ensureOwner(agentId: string, authority: OwnerAuthority, state: AgentState): RegisteredAgent {
  const isOwner = state.kind === 'registered' && owns(authority, state);
  const isPublic = state.kind === 'registered' && state.universe.kind === 'production';
  const agent = ensureRegisteredAgent(agentId, state, isOwner || isPublic);
  if (!isOwner) {
    throw new DomainError('not_owner', `agent ${JSON.stringify(agentId)} does not belong to the credential`);
  }
  if (authority.kind === 'organisation' && !sameUniverse(agent.universe, authority.universe)) {
    throw new DomainError(
      'wrong_universe',
      `agent ${JSON.stringify(agentId)} lives in ${agent.universe.kind}, this API key is for ${authority.universe.kind}`,
    );
  }
  return agent;
}

const owns = (authority: OwnerAuthority, agent: RegisteredAgent): boolean => {
  switch (authority.kind) {
    case 'organisation':
      return authority.orgId === agent.orgId;
    case 'agent':
      return authority.agentId === agent.agentId;
    case 'admin':
      return true;
    default:
      return unreachable(authority);
  }
};
