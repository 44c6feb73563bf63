import { DomainError } from '@agent-trust/contracts';
import type { RegisteredAgent } from '../state.ts';

/**
 * A pair is a live agent and its sandbox clone: moving either would leave two of a kind. So neither moves, and the live agent stays also
 * while its clone is only being registered. `voidCloneId` is an id that went to somebody else, or null (see `isVoidPairing`); naming
 * that makes no pair. Refuses with `clone_paired`.
 */
export function ensureUnpaired({ agentId, relatedAgentId }: RegisteredAgent, voidCloneId: string | null): void {
  if (relatedAgentId === null || relatedAgentId === voidCloneId) return;
  throw new DomainError(
    'clone_paired',
    `agent ${JSON.stringify(agentId)} is paired with ${JSON.stringify(relatedAgentId)} and cannot move; POST /sandbox/promote copies the draft's configuration to the live agent`,
  );
}
