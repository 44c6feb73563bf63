import {
  cosignaturesOf,
  NoteError,
  type OpenedCheckpoint,
  openCheckpoint as openNote,
  parseVerifierKey,
  toHex,
  type VerifierKey,
} from '@agent-trust/transparency-log';
import { bound } from './read-proof.ts';
import { LogProofError } from './log-proof-error.ts';

/** What a reader knows about a log beforehand, from a trusted source: then nothing that a registry says has to be believed. */
export type LogTrust = {
  /** The log's verifier key, `<name>+<id>+<base64>`: a stored `verifier_key` of GET /log/key. */
  logKey: string;
  /** Further verifier keys of the log, which count as well: former ones, or the next one. */
  otherLogKeys?: readonly string[];
  /** The log's name in its checkpoints, if it differs from the key's name. */
  origin?: string;
  /** Verifier keys of witnesses whose cosignatures count. */
  witnessKeys?: readonly string[];
  /** How many of those witnesses must have cosigned; by default none. */
  cosignaturesMin?: number;
};

/** The verified head of a log's tree. */
export type LogCheckpoint = {
  origin: string;
  /** Number of events in the log. */
  size: number;
  /** Root of the tree (RFC 6962), hexadecimal. */
  root: string;
  cosignatures: { name: string; at: Date }[];
  /** The checkpoint as received: keep it, to prove later that the log has only grown. */
  note: string;
};

/**
 * Opens a checkpoint (C2SP tlog-checkpoint): verifies the log's signature, and those of known witnesses.
 *
 * @throws LogProofError `malformed_key`, `malformed_checkpoint`, `unknown_key` (not signed by the log, or by too few witnesses), `wrong_signature`,
 *   `wrong_origin`; TypeError for a number of witnesses that is not a number
 */
export async function openCheckpoint(note: string, trust: LogTrust): Promise<LogCheckpoint> {
  if (typeof note !== 'string') throw new LogProofError('malformed_checkpoint', 'a checkpoint is a text');
  const logKey = readKey(trust.logKey);
  const otherLogKeys = (trust.otherLogKeys ?? []).map(readKey);
  const witnessKeys = (trust.witnessKeys ?? []).map(readKey);
  const witnessesWanted = bound('cosignaturesMin', trust.cosignaturesMin ?? 0);
  let opened: OpenedCheckpoint;
  try {
    const origin = trust.origin === undefined ? {} : { origin: trust.origin };
    opened = await openNote(note, { logKey, otherLogKeys, witnessKeys, ...origin });
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    const code = error.code === 'malformed_note' ? 'malformed_checkpoint' : error.code;
    throw new LogProofError(code, `this checkpoint does not count: ${error.message}`, { cause: error });
  }
  const cosignatures = cosignaturesOf(opened).map(({ key, signedAt }) => ({
    name: key.name,
    at: signedAt ?? new Date(0),
  }));
  // A witness that signed twice counts once.
  const witnesses = new Set(cosignaturesOf(opened).map(({ key }) => key.keyId)).size;
  if (witnesses < witnessesWanted)
    throw new LogProofError(
      'unknown_key',
      `this checkpoint does not count: cosigned by ${witnesses} of the ${witnessesWanted} witnesses wanted`,
    );
  return { origin: opened.origin, size: opened.size, root: toHex(opened.root), cosignatures, note };
}

/** @throws LogProofError `malformed_key` */
export function readKey(vkey: string): VerifierKey {
  try {
    return parseVerifierKey(String(vkey));
  } catch (cause) {
    throw new LogProofError(
      'malformed_key',
      `this is no verifier key: ${cause instanceof Error ? cause.message : ''}`,
      { cause },
    );
  }
}
