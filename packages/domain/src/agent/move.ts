import {
  type AgentPublished,
  type AgentWithdrawn,
  DomainError,
  production,
  sameUniverse,
  type Universe,
} from '@agent-trust/contracts';
import { ensureInService } from './block.ts';
import type { MoveAgent } from './commands.ts';
import type { AgentState, RegisteredAgent } from './state.ts';

/**
 * Moves a sandbox agent into production under its own id. Refusals, in this order: agent_not_found, clone_paired, already_in_universe,
 * agent_suspended, agent_retired.
 */
export function publishAgent(command: MoveAgent, state: AgentState): AgentPublished[] {
  const { agentId, orgId, now } = command;
  ensureInService(ensureMovable(command, state, production));
  return [{ type: 'AgentPublished', data: { agentId, orgId, publishedAt: now } }];
}

/**
 * Moves a live agent into its organisation's sandbox under its own id, also a blocked one, which stays blocked there. Refusals:
 * agent_not_found, clone_paired, already_in_universe.
 */
export function withdrawAgent(command: MoveAgent, state: AgentState): AgentWithdrawn[] {
  const { agentId, orgId, now } = command;
  ensureMovable(command, state, { kind: 'sandbox', orgId });
  return [{ type: 'AgentWithdrawn', data: { agentId, orgId, withdrawnAt: now } }];
}

/** Paired agents stay: two live agents or two drafts cannot be a pair. `voidCloneId` makes no pair (see `isVoidPairing`). */
const ensureMovable = (
  { agentId, orgId, voidCloneId }: MoveAgent,
  state: AgentState,
  target: Universe,
): RegisteredAgent => {
  const agent = ensureOwnAgent(agentId, orgId, state);
  const { relatedAgentId, universe } = agent;
  if (relatedAgentId !== null && relatedAgentId !== voidCloneId) {
    throw new DomainError(
      'clone_paired',
      `agent ${JSON.stringify(agentId)} is paired with ${JSON.stringify(relatedAgentId)} and cannot move; POST /sandbox/promote copies the draft's configuration to the live agent`,
    );
  }
  if (sameUniverse(universe, target)) {
    throw new DomainError('already_in_universe', `agent ${JSON.stringify(agentId)} is in ${target.kind} already`);
  }
  return agent;
};

/** Another organisation's agent counts as unknown: the answer must not reveal which ids are taken. Refuses with `agent_not_found`. */
export function ensureOwnAgent(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  if (state.kind === 'registered' && state.orgId === orgId) return state;
  throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is not an agent of this organisation`);
}
