import {
  type Checkpoint,
  type CheckpointTrust,
  NoteError,
  type OpenedCheckpoint,
  openCheckpoint,
  parseCheckpointText,
  parseNote,
} from '@agent-trust/transparency-log';

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
