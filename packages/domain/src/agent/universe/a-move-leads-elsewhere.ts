import { DomainError, sameUniverse, type Universe } from '@agent-trust/contracts';
import type { RegisteredAgent } from '../state.ts';

/** Of two moves at once the second finds the agent where it was to go. Refuses with `already_in_universe`. */
export function ensureElsewhere({ agentId, universe }: RegisteredAgent, target: Universe): void {
  if (!sameUniverse(universe, target)) return;
  throw new DomainError('already_in_universe', `agent ${JSON.stringify(agentId)} is in ${target.kind} already`);
}
