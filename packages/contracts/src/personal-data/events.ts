import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { timestamp } from '../text.ts';

/** A text that only the agent's key opens: AES-256-GCM, base64url of nonce, ciphertext and tag. The key is not in the log. */
export const sealedText = z.strictObject({ keyId: z.string(), sealed: z.string() });
export type SealedText = z.infer<typeof sealedText>;

/** An agent's contact in the log. A text is sealed for its field name. */
export const sealedContact = z.object({ contactInfo: sealedText.nullable(), contactEmail: sealedText.nullable() });
export type SealedContact = z.infer<typeof sealedContact>;
export type ContactField = keyof SealedContact;

/** The keys of an agent's contact and answers were destroyed, before this event was written to the agent's stream: no copy can be opened. */
export const personalDataErased = defineEvent(
  'PersonalDataErased',
  { agentId: z.string(), keyIds: z.array(z.string()), erasedAt: timestamp },
  { profileOf: ['agentId'], shownToOwner: ['agentId', 'erasedAt'] },
);
export type PersonalDataErased = z.infer<typeof personalDataErased.event>;
