import { fromBase64, toBase64 } from '../hash/encoding.ts';

export type NoteErrorCode =
  | 'malformed_note'
  | 'malformed_key'
  | 'malformed_checkpoint'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_origin';

/** What is wrong with a note, a checkpoint or a key; `line` (from 1) says where in the note. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
  readonly code: NoteErrorCode;
  readonly line: number | null;

  constructor(code: NoteErrorCode, message: string, line: number | null = null, options?: ErrorOptions) {
    super(line === null ? message : `line ${line}: ${message}`, options);
    this.code = code;
    this.line = line;
  }
}

/** Characters of a note that is read at all, and signatures that one may carry (C2SP signed-note: at least 16). */
export const noteCharsMax = 65_536;
const noteSignaturesMax = 64;
const keyIdBytes = 4;

export type NoteSignature = {
  keyName: string;
  /** Eight hexadecimal digits. */
  keyId: string;
  /** What follows the key id. */
  signature: Uint8Array;
  line: number;
};

export type SignedNote = {
  /** What is signed; ends in a newline. */
  text: string;
  signatures: NoteSignature[];
};

/** Parses a signed note (C2SP signed-note). @throws NoteError `malformed_note`, with the line. */
export function parseNote(note: string): SignedNote {
  if (note.length > noteCharsMax) throw fault(`a note has at most ${noteCharsMax} characters`);
  const lines = note.split('\n');
  for (const [index, line] of lines.entries()) {
    if (!line.isWellFormed()) throw fault('this is not valid UTF-8', index + 1);
    const control = Array.from(line).find((char) => char < ' ');
    if (control !== undefined) throw fault(`the control character U+${hex4(control)} is not allowed`, index + 1);
  }
  if (lines.pop() !== '') throw fault('the last line does not end in a newline', lines.length + 1);
  const blank = lines.lastIndexOf('');
  if (blank < 0) throw fault('no empty line stands between the text and its signatures');
  if (blank === 0) throw fault('there is no text before the signatures', 1);
  const signatures = lines.slice(blank + 1).map((line, index) => parseSignature(line, blank + 2 + index));
  if (signatures.length === 0) throw fault('no signature follows the text', blank + 2);
  if (signatures.length > noteSignaturesMax) throw fault(`a note has at most ${noteSignaturesMax} signatures`);
  return { text: `${lines.slice(0, blank).join('\n')}\n`, signatures };
}

const parseSignature = (line: string, number: number): NoteSignature => {
  const match = /^— ([^\s+]+) (\S+)$/u.exec(line);
  if (match === null) throw fault('this is not a signature: "— <key name> <base64>"', number);
  const [, keyName = '', encoded = ''] = match;
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(encoded);
  } catch (cause) {
    throw fault('the signature is not standard base64', number, { cause });
  }
  if (bytes.length <= keyIdBytes) throw fault('the signature is too short', number);
  return {
    keyName,
    keyId: Array.from(bytes.subarray(0, keyIdBytes), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    signature: bytes.slice(keyIdBytes),
    line: number,
  };
};

export function signatureLine(keyName: string, keyId: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(keyId.length + signature.length);
  bytes.set(keyId);
  bytes.set(signature, keyId.length);
  return `— ${keyName} ${toBase64(bytes)}\n`;
}

const hex4 = (char: string): string => char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
const fault = (message: string, line: number | null = null, options?: ErrorOptions): NoteError =>
  new NoteError('malformed_note', message, line, options);
