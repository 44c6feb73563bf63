import type { PersonalDataErased, SealedContact, SealedText } from '@agent-trust/contracts';

type Erased = Pick<PersonalDataErased['data'], 'keyIds'>;

/** Whether an erasure covers a text that stands before it. A text sealed with another key was written later, and stays. */
export function isErased({ keyId }: SealedText, { keyIds }: Erased): boolean {
  return keyIds.includes(keyId);
}

/** The contact after an erasure. */
export function contactAfterErasure({ contactInfo, contactEmail }: SealedContact, erased: Erased): SealedContact {
  const left = (text: SealedText | null): SealedText | null => (text === null || isErased(text, erased) ? null : text);
  return { contactInfo: left(contactInfo), contactEmail: left(contactEmail) };
}

/** Sealing is deterministic under one key; texts under different keys cannot be compared and count as different. */
export function isSameText(a: SealedText | null, b: SealedText | null): boolean {
  return a === null || b === null ? a === b : a.keyId === b.keyId && a.sealed === b.sealed;
}

/** The keys of an agent's personal data over its whole history: the scope of an erasure. */
export type PersonalDataTrail = {
  /** Keys that texts of the stream were sealed with, without the erased ones. */
  keyIds: readonly string[];
  erasedKeyIds: readonly string[];
  /** Time of the last erasure, RFC 3339. */
  erasedAt: string | null;
};

export const noPersonalData: PersonalDataTrail = { keyIds: [], erasedKeyIds: [], erasedAt: null };

export function trailAfterContact(trail: PersonalDataTrail, contact: SealedContact): PersonalDataTrail {
  const used = [contact.contactInfo, contact.contactEmail].flatMap((text) => (text === null ? [] : [text.keyId]));
  const fresh = new Set(used).difference(new Set([...trail.keyIds, ...trail.erasedKeyIds]));
  return { ...trail, keyIds: [...trail.keyIds, ...fresh] };
}

export function trailAfterErasure(
  trail: PersonalDataTrail,
  { keyIds, erasedAt }: PersonalDataErased['data'],
): PersonalDataTrail {
  return {
    keyIds: trail.keyIds.filter((keyId) => !keyIds.includes(keyId)),
    erasedKeyIds: [...trail.erasedKeyIds, ...keyIds],
    erasedAt,
  };
}
