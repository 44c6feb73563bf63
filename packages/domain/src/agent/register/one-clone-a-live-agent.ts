import { type ClonePaired, DomainError } from '@agent-trust/contracts';
import type { PairClone } from '../commands.ts';
import type { AgentState, RegisteredAgent } from '../state.ts';
import { ensureCloneable } from './clone-copies-a-live-agent.ts';

/**
 * Keeps the place of a live agent's one clone, in the live agent's stream, before the clone is registered. The same clone goes on with
 * the place that it has; a crash before its registration is mended by repeating that. Refusals: agent_not_found, already_paired.
 */
export function pairClone(command: PairClone, state: AgentState): ClonePaired[] {
  const { agentId, cloneAgentId, orgId, voidCloneId, now } = command;
  const live = ensureCloneable(agentId, orgId, state);
  ensurePlaceForClone(live, cloneAgentId, voidCloneId);
  return live.relatedAgentId === cloneAgentId ? [] : [clonePaired(agentId, cloneAgentId, now)];
}

/**
 * A pair is for ever, so the place is taken also while its clone is not registered yet: a registration that is merely slow may still
 * come. Refuses with `already_paired`, unless the place is this clone's own or that of `voidCloneId`.
 */
export function ensurePlaceForClone(live: RegisteredAgent, cloneAgentId: string, voidCloneId: string | null): void {
  const holder = live.relatedAgentId;
  if (holder === null || holder === cloneAgentId || holder === voidCloneId) return;
  throw new DomainError(
    'already_paired',
    `agent ${JSON.stringify(live.agentId)} is paired with ${JSON.stringify(holder)} already; if that registration failed, repeat it`,
  );
}

/**
 * True when the id that a live agent keeps its place for was registered as something else than its clone. It can never become the
 * clone any more, so that another may take the place at once.
 */
export function isVoidPairing(live: RegisteredAgent, clone: AgentState): boolean {
  return clone.kind === 'registered' && clone.relatedAgentId !== live.agentId;
}

/** One side of a pair; the other side is an event of the other agent's stream. */
export function clonePaired(agentId: string, relatedAgentId: string, now: string): ClonePaired {
  return {
    type: 'ClonePaired',
    data: { agentId, relatedAgentId, pairedAt: now },
  };
}
