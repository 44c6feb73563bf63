import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { timestamp } from '../text.ts';

/** A text that only its agent's key opens: AES-256-GCM, base64url of nonce, ciphertext and tag. The key is outside of the log. */
export const sealedText = z.strictObject({ keyId: z.string(), sealed: z.string() });
export type SealedText = z.infer<typeof sealedText>;

/** An agent's contact as it goes into the log. A text is sealed for the field whose name it has here. */
export const sealedContact = z.object({ contactInfo: sealedText.nullable(), contactEmail: sealedText.nullable() });
export type SealedContact = z.infer<typeof sealedContact>;
export type ContactField = keyof SealedContact;

/**
 * The keys of an agent's contact were destroyed, in this order: first the keys, then this event. It stands in the agent's own stream.
 * From here on nothing is left of what was sealed with them, wherever it stands.
 */
export const personalDataErased = defineEvent(
  'PersonalDataErased',
  { agentId: z.string(), keyIds: z.array(z.string()), erasedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'erasedAt'] },
);
export type PersonalDataErased = z.infer<typeof personalDataErased.event>;
