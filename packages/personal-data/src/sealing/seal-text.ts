import { createHmac } from 'node:crypto';
import type { ContactField, SealedText } from '@agent-trust/contracts';
import { type AgentKey, derive } from './agent-key.ts';
import { decrypt, encrypt, nonceBytes } from './aes-gcm.ts';

/** What a text of an agent is: a field of its contact, or the answer to the review of an exchange. */
export type SealedAs = ContactField | { answerTo: string };

const contextOf = ({ agentId, keyId }: AgentKey, as: SealedAs): string[] =>
  typeof as === 'string' ? ['contact', agentId, keyId, as] : ['review answer', agentId, keyId, as.answerTo];

/** No text of one kind has the digest of a text of another: the lists differ in length. */
const digestedOf = (as: SealedAs, text: string): string[] =>
  typeof as === 'string' ? [as, text] : ['review answer', as.answerTo, text];

/**
 * Seals a text of an agent so that it opens only as what it is of this agent. Equal texts give equal ciphertexts under one key, so a
 * repeated command leads to the same event and a decider can see that nothing changed. The nonce is a keyed digest of text and purpose (as in SIV, RFC
 * 5297), so no two texts share one.
 */
export function sealText(key: AgentKey, as: SealedAs, text: string): SealedText {
  const nonce = createHmac('sha256', derive(key.bytes, 'nonces'))
    .update(JSON.stringify(digestedOf(as, text)), 'utf8')
    .digest()
    .subarray(0, nonceBytes);
  const sealed = encrypt(derive(key.bytes, 'texts'), nonce, contextOf(key, as), Buffer.from(text, 'utf8'));
  return { keyId: key.keyId, sealed: sealed.toString('base64url') };
}

/** The text that was sealed; throws if the key, the agent or what it is differs, or the text was changed. */
export function openText(key: AgentKey, as: SealedAs, { sealed }: Pick<SealedText, 'sealed'>): string {
  try {
    const bytes = decrypt(derive(key.bytes, 'texts'), contextOf(key, as), Buffer.from(sealed, 'base64url'));
    return bytes.toString('utf8');
  } catch (cause) {
    throw new Error(`a text of ${JSON.stringify(key.agentId)} does not open with its key`, { cause });
  }
}
