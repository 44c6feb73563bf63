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
 * if no replacement fits.
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
  const { size = claimed.size, root = claimed.root } = {
    size: reading.sizeOfRoot.get(toHex(claimed.root)),
    root: reading.rootAt.get(claimed.size),
  };
  const replacements = [
    {
      edited: claimed.origin !== origin,
      signed: { ...claimed, origin },
      message: `the origin was edited: it says ${JSON.stringify(claimed.origin)}, and ${JSON.stringify(origin)} was signed`,
    },
    {
      edited: claimed.size !== size,
      signed: { ...claimed, size },
      message: `the size was edited: it says ${claimed.size}, and ${size} was signed`,
    },
    {
      edited: !sameHash(claimed.root, root),
      signed: { ...claimed, root },
      message: `the root hash was edited: it says ${toBase64(claimed.root)}, and ${toBase64(root)} was signed, which is the log’s at this size`,
    },
    {
      edited: claimed.extensions.length > 0,
      signed: claimed,
      message: 'a line was put in behind the root hash',
    },
  ];
  for (const [index, { edited, signed, message }] of replacements.entries()) {
    const fits = edited && (await openGiven('', `${checkpointText(signed)}${signatures}`, trust)).kind === 'opened';
    if (fits) return { line: index + 1, message };
  }
  if (reading.rootAt.has(claimed.size) && !replacements.some(({ edited }) => edited))
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
