import { DomainError, type PersonalDataErased } from '@agent-trust/contracts';
import type { ErasePersonalData } from '../commands.ts';
import type { AgentState } from '../state.ts';

/**
 * Records an erasure: of the keys that are gone those that no event names yet, and of whatever stands in clear. Nothing where neither is
 * left, so that an erasure can be repeated. Refuses with agent_not_found.
 */
export function erasePersonalData(
  { agentId, keyIds, now }: ErasePersonalData,
  state: AgentState,
): PersonalDataErased[] {
  if (state.kind === 'unregistered') {
    throw new DomainError('agent_not_found', `agent ${JSON.stringify(agentId)} is not registered`);
  }
  const { erasedKeyIds, inClear } = state.personalData;
  const erased = [...new Set(keyIds)].filter((keyId) => !erasedKeyIds.includes(keyId)).toSorted();
  if (erased.length === 0 && !inClear) return [];
  return [{ type: 'PersonalDataErased', data: { agentId, keyIds: erased, erasedAt: now } }];
}
