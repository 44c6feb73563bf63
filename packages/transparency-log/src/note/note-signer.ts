import { ed25519KeyPair, signEd25519 } from './ed25519.ts';
import { signatureLine } from './signed-note.ts';
import { type SignatureType, signatureTypes, type VerifierKey, keyIdBytesOf, verifierKey } from './verifier-key.ts';

/** Who signs notes. */
export type NoteSigner = {
  key: VerifierKey;
  sign(message: Uint8Array): Promise<Uint8Array>;
};

/** @param seed 32 bytes; kept nowhere but in the key that WebCrypto holds. */
export async function noteSigner(name: string, seed: Uint8Array, type: SignatureType): Promise<NoteSigner> {
  const { publicKey, privateKey } = await ed25519KeyPair(seed);
  return { key: verifierKey(name, type, publicKey), sign: (message) => signEd25519(privateKey, message) };
}

const encoder = new TextEncoder();

/** The note with the signature of a log (type 0x01) over its text, which ends in a newline. */
export async function signNote(text: string, signer: NoteSigner): Promise<string> {
  if (signer.key.type !== signatureTypes.ed25519) throw new TypeError('a witness signs by cosign');
  const signature = await signer.sign(encoder.encode(text));
  return `${text}\n${signatureLine(signer.key.name, keyIdBytesOf(signer.key), signature)}`;
}

/**
 * The signature line of a witness (type 0x04, C2SP tlog-cosignature: cosignature/v1) over a checkpoint's text: it saw that the log was
 * consistent, at this time.
 *
 * @param seconds POSIX time.
 */
export async function cosign(text: string, signer: NoteSigner, seconds: number): Promise<string> {
  if (signer.key.type !== signatureTypes.cosignatureV1) throw new TypeError('a log signs by signNote');
  const signature = await signer.sign(cosignedMessage(text, seconds));
  const bytes = new Uint8Array(8 + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, 8);
  return signatureLine(signer.key.name, keyIdBytesOf(signer.key), bytes);
}

/** What a witness signs: a header, the time and the whole text of the checkpoint. */
export function cosignedMessage(text: string, seconds: number | bigint): Uint8Array {
  return encoder.encode(`cosignature/v1\ntime ${seconds}\n${text}`);
}
