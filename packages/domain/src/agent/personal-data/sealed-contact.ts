import type { ContactChanged, SealedContact, SealedText } from '@agent-trust/contracts';
import type { RegisteredAgent } from '../state.ts';

/** Equal texts are sealed alike under one key; under two nobody can tell, so they count as different. */
export function isSameText(a: SealedText | null, b: SealedText | null): boolean {
  return a === null || b === null ? a === b : a.keyId === b.keyId && a.sealed === b.sealed;
}

/** The event that gives an agent another contact; none where it is the same. */
export function contactChange(agent: RegisteredAgent, contact: SealedContact, changedAt: string): ContactChanged[] {
  const isSame =
    isSameText(contact.contactInfo, agent.contact.contactInfo) &&
    isSameText(contact.contactEmail, agent.contact.contactEmail);
  return isSame ? [] : [{ type: 'ContactChanged', data: { agentId: agent.agentId, contact, changedAt } }];
}
