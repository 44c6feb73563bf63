import { fromHex } from '../hash/encoding.ts';
import { NoteError, type NoteSignature, parseNote, signatureLine } from './signed-note.ts';
import { type SignatureType, signatureTypes, type VerifierKey, verifierKey } from './verifier-key.ts';

export type VerifiedSignature = {
  key: VerifierKey;
  /** When a witness signed; null for a log's own signature, which holds no time. */
  signedAt: Date | null;
};

export type OpenedNote = {
  text: string;
  /** By keys that were given, each verified. */
  signatures: VerifiedSignature[];
  /** By keys that were not given: they say nothing. */
  unknown: { keyName: string; keyId: string }[];
};

const encoder = new TextEncoder();
const timeBytes = 8;

/**
 * Opens a note: verifies the signatures of the given keys and ignores others, as C2SP signed-note requires.
 * @throws NoteError `malformed_note`; `wrong_signature` of a given key; `unknown_key` without any of a given key.
 */
export async function openNote(note: string, keys: readonly VerifierKey[]): Promise<OpenedNote> {
  const { text, signatures } = parseNote(note);
  const opened: OpenedNote = { text, signatures: [], unknown: [] };
  for (const signature of signatures) {
    const { keyName, keyId, line } = signature;
    const key = keys.find((known) => known.name === keyName && known.keyId === keyId);
    if (key === undefined) {
      opened.unknown.push({ keyName, keyId });
      continue;
    }
    const verified = await verifySignature(text, signature, key);
    if (verified === null)
      throw new NoteError('wrong_signature', `the signature of ${keyName} (key ${keyId}) does not fit the text`, line);
    opened.signatures.push(verified);
  }
  if (opened.signatures.length === 0) {
    const found = opened.unknown.map(({ keyName, keyId }) => `${keyName} (key ${keyId})`).join(', ');
    const wanted = keys.map(({ name, keyId }) => `${name} (key ${keyId})`).join(', ');
    throw new NoteError('unknown_key', `signed by ${found}, but not by ${wanted === '' ? 'any key given' : wanted}`);
  }
  return opened;
}

const verifySignature = async (
  text: string,
  { signature }: NoteSignature,
  key: VerifierKey,
): Promise<VerifiedSignature | null> => {
  switch (key.type) {
    case signatureTypes.ed25519:
      return (await verifyEd25519(key.publicKey, signature, encoder.encode(text))) ? { key, signedAt: null } : null;
    case signatureTypes.cosignatureV1: {
      if (signature.length <= timeBytes) return null;
      const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
      const message = cosignedMessage(text, seconds);
      const signedAt = new Date(Number(seconds) * 1000);
      if (Number.isNaN(signedAt.getTime())) return null;
      return (await verifyEd25519(key.publicKey, signature.slice(timeBytes), message)) ? { key, signedAt } : null;
    }
    default:
      return key.type satisfies never;
  }
};

export type NoteSigner = {
  key: VerifierKey;
  sign(message: Uint8Array): Promise<Uint8Array>;
};

/** @param seed 32 bytes; kept nowhere but in the key that WebCrypto holds. */
export async function noteSigner(name: string, seed: Uint8Array, type: SignatureType): Promise<NoteSigner> {
  const { publicKey, privateKey } = await ed25519KeyPair(seed);
  return { key: verifierKey(name, type, publicKey), sign: (message) => signEd25519(privateKey, message) };
}

/** The note with the signature of a log (type 0x01) over its text, which ends in a newline; by each of its keys if it has several. */
export async function signNote(text: string, ...signers: readonly [NoteSigner, ...NoteSigner[]]): Promise<string> {
  const lines = signers.map(async (signer) => {
    const { key } = signer;
    if (key.type !== signatureTypes.ed25519) throw new TypeError('a witness signs by cosign');
    return signatureLine(key.name, fromHex(key.keyId), await signer.sign(encoder.encode(text)));
  });
  return `${text}\n${(await Promise.all(lines)).join('')}`;
}

/** The signature line of a witness (type 0x04, C2SP tlog-cosignature: cosignature/v1) that saw a consistent log at this POSIX time, in seconds. */
export async function cosign(text: string, signer: NoteSigner, seconds: number): Promise<string> {
  if (signer.key.type !== signatureTypes.cosignatureV1) throw new TypeError('a log signs by signNote');
  const signature = await signer.sign(cosignedMessage(text, seconds));
  const bytes = new Uint8Array(8 + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, 8);
  return signatureLine(signer.key.name, fromHex(signer.key.keyId), bytes);
}

/** What a witness signs: a header, the time and the whole text of the checkpoint. */
const cosignedMessage = (text: string, seconds: number | bigint): Uint8Array => {
  return encoder.encode(`cosignature/v1\ntime ${seconds}\n${text}`);
};

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

const signEd25519 = async (privateKey: Key, message: Uint8Array): Promise<Uint8Array> => {
  return new Uint8Array(await subtle.sign('Ed25519', privateKey, Uint8Array.from(message)));
};

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
