import { DomainError, type PersonalDataErased } from '@agent-trust/contracts';
import type { ErasePersonalData } from '../commands.ts';
import type { AgentState } from '../state.ts';

/**
 * Records an erasure: of the keys that are gone, those that no event names yet. Nothing where none is left, so that an erasure can be
 * repeated. Refuses with agent_not_found.
 */
export function erasePersonalData(
  { agentId, keyIds, now }: ErasePersonalData,
  state: AgentState,
): PersonalDataErased[] {
  if (state.kind === 'unregistered') {
    throw new DomainError('agent_not_found', `agent ${JSON.stringify(agentId)} is not registered`);
  }
  const { erasedKeyIds } = state.personalData;
  const erased = [...new Set(keyIds)].filter((keyId) => !erasedKeyIds.includes(keyId)).toSorted();
  if (erased.length === 0) return [];
  return [{ type: 'PersonalDataErased', data: { agentId, keyIds: erased, erasedAt: now } }];
}
