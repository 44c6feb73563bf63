import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, nonceBytes, tagBytes } from './aes-gcm.ts';

const keyBytes = 32;
export const wrappingKeyIdBytes = 8;

/** The key that seals an agent's texts: 32 random bytes, only ever stored wrapped. */
export type AgentKey = { agentId: string; keyId: string; bytes: Buffer };

/** An agent key as it is stored: sealed with the wrapping key. */
export type WrappedKey = { agentId: string; keyId: string; wrapped: Buffer };

/** A key that wraps agent keys, derived from a value of PERSONAL_DATA_KEY (HKDF, RFC 5869): 32 bytes, and the id that is stored with what it wraps. */
type NamedKey = { readonly id: Buffer; readonly bytes: Buffer };

/** The key that wraps agent keys, and while PERSONAL_DATA_KEY is being replaced a second one, which only unwraps. */
export type WrappingKey = { readonly current: NamedKey; readonly previous: NamedKey | null };

/**
 * @param secret PERSONAL_DATA_KEY
 * @param previous PERSONAL_DATA_KEY_PREVIOUS
 */
export function wrappingKeyOf(secret: string, previous?: string): WrappingKey {
  return { current: namedKeyOf(secret), previous: previous === undefined ? null : namedKeyOf(previous) };
}

const namedKeyOf = (secret: string): NamedKey => ({
  id: derive(secret, 'id of the wrapping key').subarray(0, wrappingKeyIdBytes),
  bytes: derive(secret, 'wrapping of agent keys'),
});

export function newAgentKey(agentId: string, keyId: string): AgentKey {
  return {
    agentId,
    keyId,
    bytes: randomBytes(keyBytes),
  };
}

/** 32 bytes for one purpose, derived from a secret that serves several. */
export function derive(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `agent-trust-registry personal data: ${purpose}`, keyBytes));
}

const contextOf = ({ agentId, keyId }: Pick<AgentKey, 'agentId' | 'keyId'>): string[] => ['agent key', agentId, keyId];

/** Random nonces of 96 bits are safe for 2^32 keys under one wrapping key. */
export function wrapKey({ current }: WrappingKey, key: AgentKey): WrappedKey {
  const sealed = encrypt(current.bytes, randomBytes(nonceBytes), contextOf(key), key.bytes);
  return { agentId: key.agentId, keyId: key.keyId, wrapped: Buffer.concat([current.id, sealed]) };
}

/** Keys that were wrapped before the id was stored are as long as this. */
export const wrappedBytesWithoutId = nonceBytes + keyBytes + tagBytes;

/** Throws for a key that neither value of PERSONAL_DATA_KEY wrapped, or that belongs to another agent. */
export function unwrapKey(wrappingKey: WrappingKey, { agentId, keyId, wrapped }: WrappedKey): AgentKey {
  const known = [wrappingKey.current, wrappingKey.previous].filter((key) => key !== null);
  const hasId = wrapped.length !== wrappedBytesWithoutId;
  const fitting = hasId ? known.filter(({ id }) => id.equals(wrapped.subarray(0, wrappingKeyIdBytes))) : known;
  const sealed = hasId ? wrapped.subarray(wrappingKeyIdBytes) : wrapped;
  let cause: unknown;
  for (const { bytes } of fitting) {
    try {
      return { agentId, keyId, bytes: decrypt(bytes, contextOf({ agentId, keyId }), sealed) };
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(
    `the key ${keyId} of personal data cannot be opened: neither PERSONAL_DATA_KEY nor PERSONAL_DATA_KEY_PREVIOUS wrapped it, or the stored key was changed. ` +
      'Set PERSONAL_DATA_KEY_PREVIOUS to the former value of PERSONAL_DATA_KEY until npm run secrets:rewrap has wrapped every key anew',
    { cause },
  );
}
