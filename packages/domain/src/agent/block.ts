import {
  type AgentBlock,
  agentBlocked,
  type AgentReinstated,
  type AgentRetired,
  type AgentSuspended,
} from '@agent-trust/contracts';
import type { ReinstateAgent, RetireAgent, SuspendAgent } from './commands.ts';
import { ensureOwner } from './owner.ts';
import { type AgentState, ensureRegisteredAgent, type RegisteredAgent } from './state.ts';

/** What blocks an agent. Its organisation counts, too: see `AgentBlock`. */
export function blockOf(agent: {
  isSuspended: boolean;
  isRetired: boolean;
  isOrganisationDisabled: boolean;
}): AgentBlock | null {
  if (agent.isSuspended || agent.isOrganisationDisabled) return 'suspended';
  return agent.isRetired ? 'retired' : null;
}

/** Refuses with agent_suspended or agent_retired what nobody may do as the agent while its own stream blocks it. */
export function ensureInService({ agentId, suspension, retiredAt }: RegisteredAgent): void {
  const block = blockOf({
    isSuspended: suspension !== null,
    isRetired: retiredAt !== null,
    isOrganisationDisabled: false,
  });
  if (block !== null) throw agentBlocked(agentId, block);
}

/** In either universe. An agent that is suspended already stays so, for the first reason. Refuses with agent_not_found. */
export function suspendAgent({ agentId, reason, now }: SuspendAgent, state: AgentState): AgentSuspended[] {
  if (ensureRegisteredAgent(agentId, state).suspension !== null) return [];
  return [{ type: 'AgentSuspended', data: { agentId, reason, suspendedAt: now } }];
}

/** Nothing to do for an agent that is not suspended. Refuses with agent_not_found. */
export function reinstateAgent({ agentId, reason, now }: ReinstateAgent, state: AgentState): AgentReinstated[] {
  if (ensureRegisteredAgent(agentId, state).suspension === null) return [];
  return [{ type: 'AgentReinstated', data: { agentId, reason, reinstatedAt: now } }];
}

/**
 * Retires an agent for good; a retired one stays so. A suspension outlasts its owner's wish to be rid of it. Refusals: agent_not_found,
 * not_owner, wrong_universe, agent_suspended.
 */
export function retireAgent({ agentId, authority, now }: RetireAgent, state: AgentState): AgentRetired[] {
  const agent = ensureOwner(agentId, authority, state);
  if (agent.retiredAt !== null) return [];
  if (authority.kind !== 'admin') ensureInService(agent);
  return [{ type: 'AgentRetired', data: { agentId, retiredAt: now } }];
}
