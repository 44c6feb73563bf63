import { DomainError, sameUniverse, type UpdateCredentials } from '@agent-trust/contracts';
import type { AgentState, RegisteredAgent } from '../state.ts';

/**
 * On whose word an agent is updated. `organisation` is whose key counts: the one that owns the agent, or that adopts it with this
 * update. Neither: the agent's own.
 */
export type UpdateAuthority = { isAdmin: boolean; organisation: { orgId: string; orgName: string } | null };

/**
 * The agent, for whoever may know of it: one in a sandbox is there for itself, for its organisation, by either key, and for the admin.
 * Refuses with `agent_not_found`.
 */
export function ensureKnownAgent(agentId: string, credentials: UpdateCredentials, state: AgentState): RegisteredAgent {
  const mayKnow =
    state.kind === 'registered' &&
    (state.universe.kind === 'production' ||
      credentials.admin ||
      credentials.agentId === agentId ||
      credentials.organisation?.orgId === state.orgId);
  if (mayKnow) return state;
  throw new DomainError('agent_not_found', `agent ${JSON.stringify(agentId)} is not registered`);
}

/**
 * Holds the credentials of an update, all of them valid, to the rules. An organisation's key owns the agent and is for its universe, or
 * adopts a live agent that has no organisation, on the agent's or the admin's word; an organisation's key that does neither is no
 * ornament, so it spoils the others. Without one the agent's own credential or the admin's is needed; another agent's, which a client
 * may send with everything, counts for nothing. Refusals: not_owner, wrong_universe.
 */
export function ensureMayUpdate(agent: RegisteredAgent, credentials: UpdateCredentials): UpdateAuthority {
  const { organisation, admin } = credentials;
  const isItself = credentials.agentId === agent.agentId;
  if (organisation === null) {
    if (!admin && !isItself) throw notOwner(agent, 'the credential does not belong to it');
    return { isAdmin: admin, organisation: null };
  }
  if (organisation.orgId === agent.orgId) {
    if (sameUniverse(agent.universe, organisation.universe)) return { isAdmin: admin, organisation };
    throw new DomainError(
      'wrong_universe',
      `agent ${JSON.stringify(agent.agentId)} lives in ${agent.universe.kind}, this API key is for ${organisation.universe.kind}`,
    );
  }
  const isAdoption = agent.orgId === null && organisation.universe.kind === 'production' && (admin || isItself);
  if (!isAdoption) throw notOwner(agent, 'the organisation of this API key does not own it');
  return { isAdmin: admin, organisation };
}

const notOwner = ({ agentId }: RegisteredAgent, why: string): DomainError =>
  new DomainError('not_owner', `agent ${JSON.stringify(agentId)} may not be updated: ${why}`);
