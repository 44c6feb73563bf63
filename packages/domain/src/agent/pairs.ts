import { type ClonePaired, DomainError, type RegistrationCredential } from '@agent-trust/contracts';
import { ensureInService } from './block.ts';
import type { PairClone } from './commands.ts';
import type { AgentState, RegisteredAgent } from './state.ts';

/**
 * Reserves the place of a live agent's only clone in the live agent's stream, before the clone is registered. A repeated registration of
 * the same clone keeps its place, also after a crash. Refusals: agent_not_found, agent_suspended,
 * agent_retired, already_paired.
 */
export function pairClone(command: PairClone, state: AgentState): ClonePaired[] {
  const { agentId, cloneAgentId, orgId, voidCloneId, now } = command;
  const live = ensureCloneable(agentId, orgId, state);
  ensureInService(live);
  ensurePlaceForClone(live, cloneAgentId, voidCloneId);
  return live.relatedAgentId === cloneAgentId ? [] : [clonePaired(agentId, cloneAgentId, now)];
}

/** Only an organisation's sandbox key may clone. Refuses with `sandbox_key_required`; returns the organisation's id. */
export function ensureSandboxKey(credential: RegistrationCredential): string {
  if (credential.kind === 'organisation' && credential.universe.kind === 'sandbox') return credential.orgId;
  throw new DomainError('sandbox_key_required', "clone_from_agent_id needs an organisation's sandbox key in X-API-KEY");
}

/**
 * Only a live agent of the same organisation can be cloned. Any other agent counts as unknown: the answer must not reveal which ids are
 * taken. Refuses with `agent_not_found`.
 */
export function ensureCloneable(agentId: string, orgId: string, state: AgentState): RegisteredAgent {
  if (state.kind === 'registered' && state.universe.kind === 'production' && state.orgId === orgId) return state;
  throw new DomainError('agent_not_found', `${JSON.stringify(agentId)} is not a live agent of this organisation`);
}

/**
 * A pair is permanent, so the place is taken even while its clone is not registered yet: that registration may only be slow. Refuses with
 * `already_paired`, unless the place belongs to this clone or to `voidCloneId`.
 */
export function ensurePlaceForClone(live: RegisteredAgent, cloneAgentId: string, voidCloneId: string | null): void {
  const holder = live.relatedAgentId;
  if (holder === null || holder === cloneAgentId || holder === voidCloneId) return;
  throw new DomainError(
    'already_paired',
    `agent ${JSON.stringify(live.agentId)} is paired with ${JSON.stringify(holder)} already; if that registration failed, repeat it`,
  );
}

/** Whether the id that holds a live agent's place was registered as something else: then it can never become the clone. */
export function isVoidPairing(live: RegisteredAgent, clone: AgentState): boolean {
  return clone.kind === 'registered' && clone.relatedAgentId !== live.agentId;
}

/** One side of a pair; the other side is an event of the other agent's stream. */
export function clonePaired(agentId: string, relatedAgentId: string, pairedAt: string): ClonePaired {
  return { type: 'ClonePaired', data: { agentId, relatedAgentId, pairedAt } };
}

/**
 * Returns the live agent if both agents name each other in their own streams. Refuses with `not_a_confirmed_pair`, for an unknown agent
 * too: the answer must not reveal which ids are taken.
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
