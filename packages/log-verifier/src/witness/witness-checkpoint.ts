import {
  type CheckpointTrust,
  consistencyProof,
  cosign,
  NoteError,
  type NoteSigner,
  type OpenedCheckpoint,
  openCheckpoint,
  sameHash,
  tileHashes,
  toBase64,
  type VerifierKey,
  verifyConsistency,
} from '@agent-trust/transparency-log';
import { ArgumentsError } from '@agent-trust/command-line';
import type { TileStore } from '../tiles/tile-store.ts';

/** The log does not begin with the last signed checkpoint: nothing is signed, and the state stays. */
export class WitnessRefusal extends Error {
  override readonly name = 'WitnessRefusal';
}

type WitnessInput = {
  /** The checkpoint that was signed last; null for the first. */
  last: string | null;
  note: string;
  logKey: VerifierKey;
  otherLogKeys?: readonly VerifierKey[];
  origin: string | undefined;
  tiles: TileStore;
  signer: NoteSigner;
  nowSeconds: number;
};

type WitnessedCheckpoint = {
  /** The checkpoint's text and the log's signature, as they came, with the cosignature behind it. */
  cosigned: string;
  size: number;
  fromSize: number;
};

/**
 * Cosigns a checkpoint (C2SP tlog-cosignature: cosignature/v1) after verifying a consistency proof, made from the log's tiles, with the last one.
 * @throws NoteError for a checkpoint of another key; ArgumentsError for an unusable last one; WitnessRefusal; UnreachableError
 */
export async function witnessCheckpoint(input: WitnessInput): Promise<WitnessedCheckpoint> {
  const { note, logKey, otherLogKeys = [], origin, signer, nowSeconds } = input;
  const trust = { logKey, otherLogKeys, ...(origin === undefined ? {} : { origin }) };
  const next = await openCheckpoint(note, trust);
  const last = input.last === null ? null : await openLast(input.last, trust);
  if (last !== null) await ensureConsistency(last, next, input.tiles);
  const line = await cosign(next.text, signer, nowSeconds);
  return { cosigned: `${note.trimEnd()}\n${line}`, size: next.size, fromSize: last?.size ?? 0 };
}

/** The checkpoint that was signed last. A fault in it says nothing about the log: the file is another one, broken, or of a former key. */
const openLast = async (note: string, trust: CheckpointTrust): Promise<OpenedCheckpoint> => {
  try {
    return await openCheckpoint(note, trust);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new ArgumentsError(
      `What the --state file holds is no checkpoint that the log's key has signed (${error.message}), so nothing can be held against it.`,
      { cause: error },
    );
  }
};

const ensureConsistency = async (last: OpenedCheckpoint, next: OpenedCheckpoint, tiles: TileStore): Promise<void> => {
  if (next.size < last.size)
    throw new WitnessRefusal(`the log was rolled back: ${last.size} events were signed, and now it shows ${next.size}`);
  if (next.size === last.size) {
    if (sameHash(next.root, last.root)) return;
    throw new WitnessRefusal(
      `the log forked: it signed two trees of ${next.size} events, ${toBase64(last.root)} and ${toBase64(next.root)}`,
    );
  }
  const claim = { from: last.size, fromRoot: last.root, to: next.size, toRoot: next.root };
  const proof = await consistencyProof(last.size, next.size, tileHashes(next.size, tiles.read));
  if (!verifyConsistency({ ...claim, proof }))
    throw new WitnessRefusal(
      `the log forked before event ${last.size}: its tree of ${next.size} events does not begin with the tree of ${last.size} that was signed, or its tiles are another tree’s`,
    );
};
