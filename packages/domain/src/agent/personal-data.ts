import type {
  ContactChanged,
  ContactField,
  PersonalDataErased,
  SealedContact,
  SealedText,
} from '@agent-trust/contracts';
import type { ErasePersonalData, ResealContact } from './commands.ts';
import { isSameText } from './contact.ts';
import { type AgentState, ensureRegisteredAgent, type RegisteredAgent } from './state.ts';

/** Records the erased keys that no event names yet; nothing if all are recorded, so an erasure can be repeated. Refuses with agent_not_found. */
export function erasePersonalData(
  { agentId, keyIds, now }: ErasePersonalData,
  state: AgentState,
): PersonalDataErased[] {
  const { erasedKeyIds } = ensureRegisteredAgent(agentId, state).personalData;
  const erased = [...new Set(keyIds)].filter((keyId) => !erasedKeyIds.includes(keyId)).toSorted();
  if (erased.length === 0) return [];
  return [{ type: 'PersonalDataErased', data: { agentId, keyIds: erased, erasedAt: now } }];
}

/** Replaces each lost text that is still the agent's contact. Any other was changed or erased since, and that later event stands. */
export function resealContact(command: ResealContact, state: AgentState): ContactChanged[] {
  if (state.kind === 'unregistered') throw new Error('the contact of an agent that was never registered was written');
  const { contact } = state;
  const after = (field: ContactField): SealedText | null => {
    const [lost, again] = [command.lost[field], command.contact[field]];
    const stands = lost !== undefined && lost !== null && isSameText(lost, contact[field]);
    return stands && again !== undefined ? again : contact[field];
  };
  return contactChange(state, { contactInfo: after('contactInfo'), contactEmail: after('contactEmail') }, command.now);
}

/** The event that gives an agent another contact; none if it is the same. */
export function contactChange(agent: RegisteredAgent, contact: SealedContact, changedAt: string): ContactChanged[] {
  const isSame =
    isSameText(contact.contactInfo, agent.contact.contactInfo) &&
    isSameText(contact.contactEmail, agent.contact.contactEmail);
  return isSame ? [] : [{ type: 'ContactChanged', data: { agentId: agent.agentId, contact, changedAt } }];
}
