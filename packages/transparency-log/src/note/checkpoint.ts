import { fromBase64, toBase64 } from '../hash/encoding.ts';
import { hashBytes } from '../hash/tree-hash.ts';
import { NoteError } from './signed-note.ts';
import { type OpenedNote, openNote } from './open-note.ts';
import { signatureTypes, type VerifierKey } from './verifier-key.ts';

/** The head of a log's tree (C2SP tlog-checkpoint). */
export type Checkpoint = {
  origin: string;
  size: number;
  root: Uint8Array;
  /** Further lines, which nobody can audit. */
  extensions: string[];
};

export function checkpointText({ origin, size, root }: Pick<Checkpoint, 'origin' | 'size' | 'root'>): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** @throws NoteError `malformed_checkpoint`, with the line. */
export function parseCheckpointText(text: string): Checkpoint {
  const [origin = '', sizeText = '', rootText = '', ...extensions] = text.replace(/\n$/u, '').split('\n');
  if (origin === '') throw fault('the origin is empty', 1);
  const size = Number(sizeText);
  if (!/^(?:0|[1-9]\d*)$/u.test(sizeText) || !Number.isSafeInteger(size))
    throw fault(`${JSON.stringify(sizeText)} is not a tree size`, 2);
  let root: Uint8Array;
  try {
    root = fromBase64(rootText);
  } catch (cause) {
    throw fault(`the root hash is not standard base64`, 3, { cause });
  }
  if (root.length !== hashBytes) throw fault(`the root hash has ${root.length} bytes, not ${hashBytes}`, 3);
  const empty = extensions.indexOf('');
  if (empty >= 0) throw fault('an extension line is empty', 4 + empty);
  return { origin, size, root, extensions };
}

export type OpenedCheckpoint = Checkpoint & OpenedNote;

export type CheckpointTrust = {
  logKey: VerifierKey;
  /** Further keys of the log, whose signature counts as well: former ones, or the next one. */
  otherLogKeys?: readonly VerifierKey[];
  /** The log's name in the first line; the key's name when not given, as C2SP tlog-checkpoint recommends. */
  origin?: string;
  /** Keys of witnesses, whose cosignatures are verified where they are there. */
  witnessKeys?: readonly VerifierKey[];
};

/**
 * A checkpoint with a verified signature of the log and of each given witness that cosigned it.
 * @throws NoteError `malformed_note`, `malformed_checkpoint`, `wrong_origin`, `unknown_key` (not signed by the log), `wrong_signature`.
 */
export async function openCheckpoint(
  note: string,
  { logKey, otherLogKeys = [], origin = logKey.name, witnessKeys = [] }: CheckpointTrust,
): Promise<OpenedCheckpoint> {
  const logKeys = [logKey, ...otherLogKeys];
  const opened = await openNote(note, [...logKeys, ...witnessKeys]);
  if (!opened.signatures.some(({ key }) => logKeys.includes(key)))
    throw new NoteError('unknown_key', `not signed by the log’s key ${logKey.name} (key ${logKey.keyId})`);
  const checkpoint = parseCheckpointText(opened.text);
  if (checkpoint.origin !== origin)
    throw new NoteError(
      'wrong_origin',
      `the log is ${JSON.stringify(checkpoint.origin)}, not ${JSON.stringify(origin)}`,
      1,
    );
  return { ...opened, ...checkpoint };
}

export function cosignaturesOf({ signatures }: OpenedNote): OpenedNote['signatures'] {
  return signatures.filter(({ key }) => key.type === signatureTypes.cosignatureV1);
}

const fault = (message: string, line: number, options?: ErrorOptions): NoteError =>
  new NoteError('malformed_checkpoint', message, line, options);
