import { signatureLine } from './signed-note.ts';
import { keyIdBytesOf, type SignatureType, signatureTypes, type VerifierKey, verifierKey } from './verifier-key.ts';

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

/** The signature line of a witness (type 0x04, C2SP tlog-cosignature: cosignature/v1) that saw a consistent log at this POSIX time, in seconds. */
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

// oxlint-disable-next-line no-restricted-globals -- Ed25519 draws no randomness: these are pure functions of WebCrypto.
const { subtle } = crypto;

/** An Ed25519 key of WebCrypto, in Node and in browsers. */
type Key = Awaited<ReturnType<typeof subtle.importKey>>;

/** DER of PKCS #8 around an Ed25519 seed (RFC 8410 §7). */
const pkcs8Prefix = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32] as const;
const seedBytes = 32;

/** The key pair of a seed of 32 bytes. The private key cannot be exported again. */
export async function ed25519KeyPair(seed: Uint8Array): Promise<{ publicKey: Uint8Array; privateKey: Key }> {
  if (seed.length !== seedBytes) throw new TypeError(`an Ed25519 seed has ${seedBytes} bytes`);
  const pkcs8 = Uint8Array.of(...pkcs8Prefix, ...seed);
  const exportable = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x = '' } = await subtle.exportKey('jwk', exportable);
  const chars = atob(x.replaceAll('-', '+').replaceAll('_', '/'));
  return {
    publicKey: Uint8Array.from(chars, (char) => char.charCodeAt(0)),
    privateKey: await subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']),
  };
}

export async function signEd25519(privateKey: Key, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle.sign('Ed25519', privateKey, Uint8Array.from(message)));
}

/** Whether the signature over the message is the key's; a key that is no point of the curve has none. */
export async function verifyEd25519(
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  let key: Key;
  try {
    key = await subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify']);
  } catch {
    return false;
  }
  return await subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message));
}
