import type { PrivateKey } from './key-pair.ts';

/** Signs bytes with an agent's Ed25519 key and returns the 64 bytes of the signature: a key store or a hardware module, for example. */
export type SignBytes = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

export type Signer = {
  /** The signing agent; its id is the `keyid`. */
  agentId: string;
  /** A key of `generateKeyPair` or `importKeyPair`, or a function. */
  privateKey: PrivateKey | SignBytes;
  /** Covers `@authority` and `@query` too, which registries with SIGNATURE_STRICT require. */
  strict?: boolean | undefined;
};
