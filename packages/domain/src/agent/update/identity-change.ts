import type { ContactChanged, PublicKeyReplaced } from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { demandSoundPublicKey } from '../public-key.ts';
import type { RegisteredAgent } from '../state.ts';

/** The contact with the fields that the request names in place of its own; null clears. */
export const contactChange = (command: UpdateAgent, { agentId, contact }: RegisteredAgent): ContactChanged[] => {
  const { contactInfo = contact.contactInfo, contactEmail = contact.contactEmail } = command.contact;
  if (contactInfo === contact.contactInfo && contactEmail === contact.contactEmail) return [];
  return [
    { type: 'ContactChanged', data: { agentId, contact: { contactInfo, contactEmail }, changedAt: command.now } },
  ];
};

/** A key takes the place of any other, null takes the key away; the bearer key stays. Refuses an unsound key, of anybody, with `invalid_public_key`. */
export const publicKeyChange = (command: UpdateAgent, agent: RegisteredAgent): PublicKeyReplaced[] => {
  const { publicKey, now } = command;
  if (publicKey === undefined) return [];
  if (publicKey !== null) demandSoundPublicKey(publicKey);
  if (publicKey === agent.publicKey) return [];
  return [{ type: 'PublicKeyReplaced', data: { agentId: agent.agentId, publicKey, replacedAt: now } }];
};
