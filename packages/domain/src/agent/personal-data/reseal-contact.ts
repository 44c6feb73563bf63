import type { ContactChanged, ContactField, SealedText } from '@agent-trust/contracts';
import type { ResealContact } from '../commands.ts';
import type { AgentState } from '../state.ts';
import { contactChange, isSameText } from './sealed-contact.ts';

/**
 * Replaces each lost text that still stands as the agent's contact. One that does not was changed by somebody or erased since, which came
 * after it and holds.
 */
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
