import type { ContactField, SealedText } from '@agent-trust/contracts';
import { type KeyStore, openText } from '@agent-trust/personal-data';

/** A text of an agent's contact, or null where there is none or its key was destroyed. */
export async function openContact(
  keys: Pick<KeyStore, 'find'>,
  field: ContactField,
  text: SealedText | null,
): Promise<string | null> {
  if (text === null) return null;
  const key = await keys.find(text.keyId);
  return key === null ? null : openText(key, field, text);
}
