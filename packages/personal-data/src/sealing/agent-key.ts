import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, nonceBytes } from './aes-gcm.ts';

const keyBytes = 32;

/** The key that seals an agent's texts: 32 random bytes, only ever stored wrapped. */
export type AgentKey = { agentId: string; keyId: string; bytes: Buffer };

/** An agent key as it is stored: sealed with the wrapping key. */
export type WrappedKey = { agentId: string; keyId: string; wrapped: Buffer };

/** The key that wraps agent keys, derived from the setting PERSONAL_DATA_KEY (HKDF, RFC 5869). 32 bytes. */
export type WrappingKey = { readonly wrapping: Buffer };

export function wrappingKeyOf(secret: string): WrappingKey {
  return { wrapping: derive(secret, 'wrapping of agent keys') };
}

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
export function wrapKey({ wrapping }: WrappingKey, key: AgentKey): WrappedKey {
  return {
    agentId: key.agentId,
    keyId: key.keyId,
    wrapped: encrypt(wrapping, randomBytes(nonceBytes), contextOf(key), key.bytes),
  };
}

/** Throws for a key that another PERSONAL_DATA_KEY wrapped, or that belongs to another agent. */
export function unwrapKey({ wrapping }: WrappingKey, { agentId, keyId, wrapped }: WrappedKey): AgentKey {
  try {
    return { agentId, keyId, bytes: decrypt(wrapping, contextOf({ agentId, keyId }), wrapped) };
  } catch (cause) {
    throw new Error(
      `the key ${keyId} of personal data cannot be opened: PERSONAL_DATA_KEY differs from the one that wrapped it, or the stored key was changed`,
      { cause },
    );
  }
}
