import type { ContactChanged, ContactField, PublicKeyReplaced, RecordedText } from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { ensureSealed, isSameText } from '../personal-data/sealed-contact.ts';
import { ensureSoundPublicKey } from '../public-key.ts';
import type { RegisteredAgent } from '../state.ts';

/**
 * The contact with the fields that the request names in place of its own; null clears. A text that stands in clear since before contacts
 * were sealed does not go into the log again: who writes brings it along, sealed. Where an erasure came in between it is gone, and stays so.
 */
export function contactChange(command: UpdateAgent, { agentId, contact }: RegisteredAgent): ContactChanged[] {
  const after = (field: ContactField): RecordedText | null => {
    const { [field]: named } = command.contact;
    const stands = contact[field];
    if (named !== undefined) return named;
    return stands !== null && 'plain' in stands ? (command.inClearBefore[field] ?? stands) : stands;
  };
  const [contactInfo, contactEmail] = [after('contactInfo'), after('contactEmail')];
  if (isSameText(contactInfo, contact.contactInfo) && isSameText(contactEmail, contact.contactEmail)) return [];
  const changed = { contactInfo: ensureSealed(contactInfo), contactEmail: ensureSealed(contactEmail) };
  return [{ type: 'ContactChanged', data: { agentId, contact: changed, changedAt: command.now } }];
}

/** A key takes the place of any other, null takes the key away; the bearer key stays. Refuses an unsound key, of anybody, with `invalid_public_key`. */
export function publicKeyChange(command: UpdateAgent, agent: RegisteredAgent): PublicKeyReplaced[] {
  const { publicKey, now } = command;
  if (publicKey === undefined) return [];
  if (publicKey !== null) ensureSoundPublicKey(publicKey);
  if (publicKey === agent.publicKey) return [];
  return [{ type: 'PublicKeyReplaced', data: { agentId: agent.agentId, publicKey, replacedAt: now } }];
}
