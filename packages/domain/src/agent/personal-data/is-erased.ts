import type { PersonalDataErased, RecordedContact, RecordedText } from '@agent-trust/contracts';

/**
 * Whether an erasure leaves nothing of a text that stands before it: what was sealed with one of its keys, and whatever stands in clear.
 * What was sealed with another key came after the erasure had begun, and stays.
 */
export function isErased(text: RecordedText, { keyIds }: Pick<PersonalDataErased['data'], 'keyIds'>): boolean {
  return 'plain' in text || keyIds.includes(text.keyId);
}

/** What an erasure leaves of the contact that stands before it. */
export function contactAfterErasure(
  { contactInfo, contactEmail }: RecordedContact,
  erased: Pick<PersonalDataErased['data'], 'keyIds'>,
): RecordedContact {
  const left = (text: RecordedText | null): RecordedText | null =>
    text === null || isErased(text, erased) ? null : text;
  return { contactInfo: left(contactInfo), contactEmail: left(contactEmail) };
}
