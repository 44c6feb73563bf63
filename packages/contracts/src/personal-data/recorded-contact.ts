import { z } from 'zod';

/** A text that only its agent's key opens: AES-256-GCM, base64url of nonce, ciphertext and tag. The key is outside of the log. */
export const sealedText = z.strictObject({ keyId: z.string(), sealed: z.string() });
export type SealedText = z.infer<typeof sealedText>;

/** A text as events of version 1 have it, from before contacts were sealed. Nothing writes it any more. */
const textInClear = z.strictObject({ plain: z.string() });

export const recordedText = z.union([sealedText, textInClear]);
export type RecordedText = z.infer<typeof recordedText>;

/** The fields of a contact by name, as a text is sealed for one of them. */
export type ContactField = 'contactInfo' | 'contactEmail';

/** An agent's contact as it stands in events. */
export const recordedContact = z.object({
  contactInfo: recordedText.nullable(),
  contactEmail: recordedText.nullable(),
} satisfies Record<ContactField, z.ZodType>);
export type RecordedContact = z.infer<typeof recordedContact>;

/** A contact as it goes into the log. */
export type SealedContact = Record<ContactField, SealedText | null>;

type ContactInClear = { contact: Record<ContactField, string | null> };

/** Data of version 1 of an event with a contact, whose texts stand in it as they are, in the shape of version 2. */
export function upcastContactInClear(data: unknown): unknown {
  const inClear = data as ContactInClear;
  const recorded = (text: string | null): RecordedText | null => (text === null ? null : { plain: text });
  const { contactInfo, contactEmail } = inClear.contact;
  return { ...inClear, contact: { contactInfo: recorded(contactInfo), contactEmail: recorded(contactEmail) } };
}
