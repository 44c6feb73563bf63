import { sha256 } from '#sha256';
import { fromBase64, toBase64, toHex } from '../hash/encoding.ts';
import { NoteError } from './signed-note.ts';

/** Signature types of C2SP signed-note: a log's own signature of the note's text, and a witness's with the time in it. */
export const signatureTypes = { ed25519: 0x01, cosignatureV1: 0x04 } as const;
export type SignatureType = (typeof signatureTypes)[keyof typeof signatureTypes];

export type VerifierKey = {
  name: string;
  type: SignatureType;
  /** 32 bytes (RFC 8032). */
  publicKey: Uint8Array;
  /** Eight hexadecimal digits. */
  keyId: string;
};

const publicKeyBytes = 32;
const encoder = new TextEncoder();

/** @throws NoteError `malformed_key` for a name with a space, a plus or a control character, an empty one, and a key of another length. */
export function verifierKey(name: string, type: SignatureType, publicKey: Uint8Array): VerifierKey {
  if (name === '' || /[\s+\p{Cc}]/u.test(name) || !name.isWellFormed())
    throw fault(`${JSON.stringify(name)} cannot name a key`);
  if (publicKey.length !== publicKeyBytes)
    throw fault(`an Ed25519 public key has ${publicKeyBytes} bytes, not ${publicKey.length}`);
  const id = sha256(encoder.encode(`${name}\n`), Uint8Array.of(type), publicKey).subarray(0, 4);
  return { name, type, publicKey, keyId: toHex(id) };
}

/** `<name>+<key id>+<base64 of type and key>` (C2SP signed-note; golang.org/x/mod/sumdb/note). */
export function formatVerifierKey({ name, type, publicKey, keyId }: VerifierKey): string {
  return `${name}+${keyId}+${toBase64(Uint8Array.of(type, ...publicKey))}`;
}

/** @throws NoteError `malformed_key`. */
export function parseVerifierKey(vkey: string): VerifierKey {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(vkey.trim());
  if (match === null) throw fault('a verifier key is written <name>+<8 hexadecimal digits>+<base64>');
  const [, name = '', keyId = '', encoded = ''] = match;
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(encoded);
  } catch (cause) {
    throw fault(`the verifier key of ${name} is not standard base64`, { cause });
  }
  const type = Object.values(signatureTypes).find((known) => known === bytes[0]);
  if (type === undefined) throw fault(`the verifier key of ${name} has an unknown type: ${bytes[0]}`);
  const key = verifierKey(name, type, bytes.slice(1));
  if (key.keyId === keyId) return key;
  throw fault(`the verifier key of ${name} says id ${keyId}, but its name and key make ${key.keyId}`);
}

const fault = (message: string, options?: ErrorOptions): NoteError =>
  new NoteError('malformed_key', message, null, options);
