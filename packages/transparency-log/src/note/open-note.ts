import { cosignedMessage, verifyEd25519 } from './note-signer.ts';
import { NoteError, type NoteSignature, parseNote } from './signed-note.ts';
import { signatureTypes, type VerifierKey } from './verifier-key.ts';

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
