import {
  type Checkpoint,
  checkpointText,
  type CheckpointTrust,
  NoteError,
  openCheckpoint,
  type OpenedCheckpoint,
  parseCheckpointText,
  parseNote,
  sameHash,
  toBase64,
  toHex,
} from '@agent-trust/transparency-log';
import type { LogReading } from '../verify/read-log.ts';

/**
 * The part of a checkpoint that was edited, if its signature does not fit: one line at a time is replaced by what the log says, until it fits. Null
 * if
 * no replacement fits.
 */
export async function explainEdited(
  note: string,
  claimed: Checkpoint,
  error: NoteError,
  trust: CheckpointTrust,
  reading: LogReading,
): Promise<{ line: number; message: string } | null> {
  if (error.code !== 'wrong_signature') return null;
  const { origin = trust.logKey.name } = trust;
  const signatures = note.slice(note.lastIndexOf('\n\n') + 1);
  const fits = async (text: string): Promise<boolean> => {
    try {
      await openCheckpoint(`${text}${signatures}`, trust);
      return true;
    } catch {
      return false;
    }
  };

  if (claimed.origin !== origin && (await fits(checkpointText({ ...claimed, origin }))))
    return {
      line: 1,
      message: `the origin was edited: it says ${JSON.stringify(claimed.origin)}, and ${JSON.stringify(origin)} was signed`,
    };
  const size = reading.sizeOfRoot.get(toHex(claimed.root));
  if (size !== undefined && size !== claimed.size && (await fits(checkpointText({ ...claimed, size }))))
    return { line: 2, message: `the size was edited: it says ${claimed.size}, and ${size} was signed` };
  const root = reading.rootAt.get(claimed.size);
  if (root !== undefined && !sameHash(root, claimed.root) && (await fits(checkpointText({ ...claimed, root }))))
    return {
      line: 3,
      message: `the root hash was edited: it says ${toBase64(claimed.root)}, and ${toBase64(root)} was signed, which is the log’s at this size`,
    };
  if (claimed.extensions.length > 0 && (await fits(checkpointText(claimed))))
    return { line: 4, message: 'a line was put in behind the root hash' };
  if (
    claimed.origin === origin &&
    root !== undefined &&
    sameHash(root, claimed.root) &&
    claimed.extensions.length === 0
  )
    return {
      line: error.line ?? 5,
      message: 'origin, size and root hash are the log’s: the signature itself was edited, or made by another',
    };
  return null;
}

/** A checkpoint as it was given: opened with the log's key, or why it could not be, with what it claims if that can be read. */
export type GivenCheckpoint = { source: string; note: string } & (
  | { kind: 'opened'; checkpoint: OpenedCheckpoint }
  | { kind: 'refused'; error: NoteError; claimed: Checkpoint | null }
);

export async function openGiven(source: string, note: string, trust: CheckpointTrust): Promise<GivenCheckpoint> {
  try {
    return { source, note, kind: 'opened', checkpoint: await openCheckpoint(note, trust) };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { source, note, kind: 'refused', error, claimed: claimedBy(note) };
  }
}

const claimedBy = (note: string): Checkpoint | null => {
  try {
    return parseCheckpointText(parseNote(note).text);
  } catch {
    return null;
  }
};
