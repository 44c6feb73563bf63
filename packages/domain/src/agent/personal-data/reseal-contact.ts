import type { ContactChanged, ContactField, RecordedText } from '@agent-trust/contracts';
import type { ResealContact } from '../commands.ts';
import type { AgentState } from '../state.ts';
import { ensureSealed, isSameText } from './sealed-contact.ts';

/**
 * Replaces each lost text that still stands as the agent's contact. One that does not was changed by somebody or erased since, which came
 * after it and holds.
 */
export function resealContact(command: ResealContact, state: AgentState): ContactChanged[] {
  if (state.kind === 'unregistered') throw new Error('the contact of an agent that was never registered was written');
  const { contact } = state;
  const after = (field: ContactField): RecordedText | null => {
    const [lost, again] = [command.lost[field], command.contact[field]];
    const stands = lost !== undefined && lost !== null && isSameText(lost, contact[field]);
    return stands && again !== undefined ? again : contact[field];
  };
  const [contactInfo, contactEmail] = [after('contactInfo'), after('contactEmail')];
  if (isSameText(contactInfo, contact.contactInfo) && isSameText(contactEmail, contact.contactEmail)) return [];
  const resealed = { contactInfo: ensureSealed(contactInfo), contactEmail: ensureSealed(contactEmail) };
  return [{ type: 'ContactChanged', data: { agentId: state.agentId, contact: resealed, changedAt: command.now } }];
}
