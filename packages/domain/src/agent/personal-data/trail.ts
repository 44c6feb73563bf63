import type { PersonalDataErased, RecordedContact } from '@agent-trust/contracts';

/** What an agent's stream holds of personal data, the past included: what an erasure has to be about. */
export type PersonalDataTrail = {
  /** Keys that texts of the stream were sealed with, less those that were erased. */
  keyIds: readonly string[];
  erasedKeyIds: readonly string[];
  /** A text stands in clear, from before contacts were sealed, and no erasure after it. */
  inClear: boolean;
  /** When it was last erased, RFC 3339. */
  erasedAt: string | null;
};

export const noPersonalData: PersonalDataTrail = { keyIds: [], erasedKeyIds: [], inClear: false, erasedAt: null };

export function trailAfterContact(trail: PersonalDataTrail, contact: RecordedContact): PersonalDataTrail {
  const texts = [contact.contactInfo, contact.contactEmail].filter((text) => text !== null);
  const used = texts.flatMap((text) => ('plain' in text ? [] : [text.keyId]));
  const fresh = new Set(used).difference(new Set([...trail.keyIds, ...trail.erasedKeyIds]));
  return {
    ...trail,
    keyIds: [...trail.keyIds, ...fresh],
    inClear: trail.inClear || texts.some((text) => 'plain' in text),
  };
}

export function trailAfterErasure(
  trail: PersonalDataTrail,
  { keyIds, erasedAt }: PersonalDataErased['data'],
): PersonalDataTrail {
  return {
    keyIds: trail.keyIds.filter((keyId) => !keyIds.includes(keyId)),
    erasedKeyIds: [...trail.erasedKeyIds, ...keyIds],
    inClear: false,
    erasedAt,
  };
}
