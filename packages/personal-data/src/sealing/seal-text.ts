import { createHmac } from 'node:crypto';
import type { ContactField, SealedText } from '@agent-trust/contracts';
import { type AgentKey, derive } from './agent-key.ts';
import { decrypt, encrypt, nonceBytes } from './aes-gcm.ts';

const contextOf = ({ agentId, keyId }: AgentKey, field: ContactField): string[] => ['contact', agentId, keyId, field];

/**
 * Seals a text of an agent's contact so that it opens only as this field of this agent. Equal texts give equal ciphertexts under one key, so a
 * repeated command leads to the same event and a decider can see that nothing changed. The nonce is a keyed digest of field and text (as in SIV, RFC
 * 5297), so no two texts share one.
 */
export function sealText(key: AgentKey, field: ContactField, text: string): SealedText {
  const nonce = createHmac('sha256', derive(key.bytes, 'nonces'))
    .update(JSON.stringify([field, text]), 'utf8')
    .digest()
    .subarray(0, nonceBytes);
  const sealed = encrypt(derive(key.bytes, 'texts'), nonce, contextOf(key, field), Buffer.from(text, 'utf8'));
  return { keyId: key.keyId, sealed: sealed.toString('base64url') };
}

/** The text that was sealed; throws if the key, the agent or the field differs, or the text was changed. */
export function openText(key: AgentKey, field: ContactField, { sealed }: Pick<SealedText, 'sealed'>): string {
  try {
    const bytes = decrypt(derive(key.bytes, 'texts'), contextOf(key, field), Buffer.from(sealed, 'base64url'));
    return bytes.toString('utf8');
  } catch (cause) {
    throw new Error(`a text of the contact of ${JSON.stringify(key.agentId)} does not open with its key`, { cause });
  }
}
