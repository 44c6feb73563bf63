import type { ContactField, SealedContact } from '@agent-trust/contracts';
import { type KeyStore, sealText } from '@agent-trust/personal-data';

/** What a request names of a contact: absent (undefined) stays as it is, null clears. */
export type NamedContact = { [Field in ContactField]?: string | null | undefined };

const fields: readonly ContactField[] = ['contactInfo', 'contactEmail'];

/**
 * Seals the texts that a request names, with the agent's key, which is made for an agent without one. So this comes after everything that
 * can be refused: a request that comes to nothing leaves no key behind.
 */
export async function sealContact(
  keys: Pick<KeyStore, 'current'>,
  agentId: string,
  named: NamedContact,
): Promise<Partial<SealedContact>> {
  const sealed: Partial<SealedContact> = {};
  for (const field of fields) {
    const text = named[field];
    if (text === null) sealed[field] = null;
    else if (text !== undefined) sealed[field] = sealText(await keys.current(agentId), field, text);
  }
  return sealed;
}
