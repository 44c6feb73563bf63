import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ArgumentsError } from '@agent-trust/command-line';

/** What a witness remembers: the last checkpoint that it signed. */
export type WitnessState = {
  last: string | null;
  /** Keeps a checkpoint, on the disk before it returns: what was signed must never be forgotten. */
  keep(note: string): void;
  /**
   * Keeps a checkpoint that was refused beside the state; answers where. One that the log did sign is evidence, and one that anybody could
   * have written does not take its place.
   */
  keepRefused(note: string, isSigned: boolean): string;
  release(): void;
};

/**
 * Opens the state in a file, for one witness at a time: two that begin with the same checkpoint could sign two forks.
 *
 * @throws ArgumentsError when another one holds it, or it cannot be written
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
  const file = openSync(next, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
