import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ArgumentsError } from '@agent-trust/command-line';
import { NoteError, type NoteSigner, noteSigner, signatureTypes } from '@agent-trust/transparency-log';

export type WitnessState = {
  /** The checkpoint that was signed last. */
  last: string | null;
  /** Stores a checkpoint durably: what was signed must never be forgotten. */
  keep(note: string): void;
  /**
   * Keeps a refused checkpoint beside the state and returns its path. An unsigned one, which anybody could write, does not replace signed evidence.
   */
  keepRefused(note: string, isSigned: boolean): string;
  release(): void;
};

/**
 * Opens the state for one witness at a time: two that begin with the same checkpoint could sign two forks.
 * @throws ArgumentsError if another one holds it, or it cannot be written
 */
export function openWitnessState(path: string): WitnessState {
  const lock = `${path}.lock`;
  takeLock(lock);
  return {
    last: existsSync(path) ? readFileSync(path, 'utf8') : null,
    keep: (note) => writeDurably(path, note),
    keepRefused: (note, isSigned) => {
      const beside = `${path}.${isSigned ? 'refused' : 'unsigned'}`;
      writeDurably(beside, note);
      return beside;
    },
    release: () => rmSync(lock, { force: true }),
  };
}

const takeLock = (lock: string): void => {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new ArgumentsError(`${lock} cannot be written: name a --state in a folder that can.`, { cause: error });
      if (isAlive(Number(readFileSync(lock, 'utf8')))) break;
      rmSync(lock, { force: true });
    }
  }
  throw new ArgumentsError(`Another witness is at work on this state (${lock}).`);
};

const isAlive = (pid: number): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const writeDurably = (path: string, text: string): void => {
  const next = `${path}.next`;
  writeFileSync(next, text, { mode: 0o600, flush: true });
  renameSync(next, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/**
 * The witness's signer, with the Ed25519 key of a file (PKCS #8 in PEM).
 * @throws ArgumentsError, without content of the file, for an invalid name and for a file that is unreadable, open to others or no such key
 */
export async function readWitnessKey(path: string, name: string): Promise<NoteSigner> {
  if (!existsSync(path)) throw new ArgumentsError(`The key file ${path} does not exist: make it with --new-key.`);
  const { mode } = statSync(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new ArgumentsError(
      `The key file ${path} is open to others (mode ${(mode & 0o777).toString(8)}): run "chmod 600 ${path}", and make another key if anybody else uses this machine.`,
    );
  try {
    return await noteSigner(name, seedOf(path), signatureTypes.cosignatureV1);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new ArgumentsError(`The name of the witness is invalid: ${error.message}.`, { cause: error });
  }
}

const seedOf = (path: string): Uint8Array => {
  try {
    const key = createPrivateKey(readFileSync(path, 'utf8'));
    const { d } = key.export({ format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519' && d !== undefined) return new Uint8Array(Buffer.from(d, 'base64url'));
  } catch {
    // Reported below, without any content of the file.
  }
  throw new ArgumentsError(`${path} is no Ed25519 private key in PEM.`);
};

/** Makes a key in a new file that only its owner may read. An older key is never overwritten. */
export function makeWitnessKey(path: string): void {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  try {
    writeFileSync(path, key, { flag: 'wx', mode: 0o600, flush: true });
  } catch (cause) {
    throw new ArgumentsError(`The key file ${path} cannot be made: does it exist already?`, { cause });
  }
}
