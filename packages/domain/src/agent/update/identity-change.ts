import type { PublicKeyReplaced, SealedContact } from '@agent-trust/contracts';
import type { UpdateAgent } from '../commands.ts';
import { ensureSoundPublicKey } from '../public-key.ts';
import type { RegisteredAgent } from '../state.ts';

/** The contact with the fields that the request names in place of its own; null clears. */
export function contactAfter({ contact: named }: UpdateAgent, { contact }: RegisteredAgent): SealedContact {
  const { contactInfo = contact.contactInfo, contactEmail = contact.contactEmail } = named;
  return { contactInfo, contactEmail };
}

/** A key takes the place of any other, null takes the key away; the bearer key stays. Refuses an unsound key, of anybody, with `invalid_public_key`. */
export function publicKeyChange(command: UpdateAgent, agent: RegisteredAgent): PublicKeyReplaced[] {
  const { publicKey, now } = command;
  if (publicKey === undefined) return [];
  if (publicKey !== null) ensureSoundPublicKey(publicKey);
  if (publicKey === agent.publicKey) return [];
  return [{ type: 'PublicKeyReplaced', data: { agentId: agent.agentId, publicKey, replacedAt: now } }];
}
