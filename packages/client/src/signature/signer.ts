import type { PrivateKey } from './key-pair.ts';

/** Signs bytes with an agent's Ed25519 key and answers the 64 bytes of the signature: a key store or a hardware module, say. */
export type SignBytes = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export type Signer = {
  /** The agent that signs; it stands in `keyid`. */
  agentId: string;
  /** A key of `generateKeyPair` or `importKeyPair`, or a function. */
  privateKey: PrivateKey | SignBytes;
  /** Covers `@authority` and `@query` too, which registries with SIGNATURE_STRICT ask for. */
  strict?: boolean | undefined;
};
