import type { PersonalDataErased, SealedContact, SealedText } from '@agent-trust/contracts';

/** Whether an erasure leaves nothing of a text that stands before it. What was sealed with another key came after the erasure had begun, and stays. */
export function isErased({ keyId }: SealedText, { keyIds }: Pick<PersonalDataErased['data'], 'keyIds'>): boolean {
  return keyIds.includes(keyId);
}

/** What an erasure leaves of the contact that stands before it. */
export function contactAfterErasure(
  { contactInfo, contactEmail }: SealedContact,
  erased: Pick<PersonalDataErased['data'], 'keyIds'>,
): SealedContact {
  const left = (text: SealedText | null): SealedText | null => (text === null || isErased(text, erased) ? null : text);
  return { contactInfo: left(contactInfo), contactEmail: left(contactEmail) };
}
