import type { PersonalDataErased, SealedContact } from '@agent-trust/contracts';

/** What an agent's stream holds of personal data, the past included: what an erasure has to be about. */
export type PersonalDataTrail = {
  /** Keys that texts of the stream were sealed with, less those that were erased. */
  keyIds: readonly string[];
  erasedKeyIds: readonly string[];
  /** When it was last erased, RFC 3339. */
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
