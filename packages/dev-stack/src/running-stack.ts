import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive, processStat } from '@agent-trust/embedded-servers';
import { StackError } from './stack-error.ts';

export interface RunningStack {
  readonly url: string;
  readonly urls: readonly string[];
  /** Where people reach it: BASE_URL, without a slash at the end. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** ADMIN_KEY, ADMIN_TOKEN, and EVENT_LOG_URL, DATABASE_URL and NATS_URL as trust-projection has them. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the owner of the database of personal keys has, and no service: for `secrets:rewrap` alone. */
  readonly ownerEnvironment: Readonly<Record<string, string>>;
}

/** Writes the record that `findRunningStack` reads. It contains credentials, so only its owner may read it. */
export function announceStack(file: string, stack: RunningStack): void {
  writeFileSync(file, `${JSON.stringify({ ...thisProcess(), ...stack }, null, 2)}\n`, { mode: 0o600 });
}

/** The stack that runs on a data folder now (default: `DATA_DIR`, else `.data`), or `undefined`. */
export function findRunningStack(dataDir: string = process.env['DATA_DIR'] || '.data'): RunningStack | undefined {
  try {
    const note = JSON.parse(readFileSync(join(resolve(dataDir), 'stack.json'), 'utf8')) as RunningStack & {
      pid: number;
      began: string;
    };
    return isHolderAlive(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

const attemptsMax = 10;

interface Holder {
  readonly pid: number;
  /** See `processStat`; empty if it cannot be read. */
  readonly began: string;
}

const beganAt = (pid: number): string => processStat(pid)?.began ?? '';

/** Whether this very process is still alive. */
const isHolderAlive = ({ pid, began }: Holder): boolean => {
  return isAlive(pid) && (began === '' || beganAt(pid) === began);
};

const thisProcess = (): Holder => {
  return { pid: process.pid, began: beganAt(process.pid) };
};

const readHolder = (file: string): Holder | undefined => {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return typeof holder.pid === 'number' && typeof holder.began === 'string'
      ? { pid: holder.pid, began: holder.began }
      : undefined;
  } catch {
    return undefined;
  }
};

/** Locks a data folder until the returned function is called, taking over a dead process's lock. @throws StackError if a live process holds it. */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'stack.lock');
  const mine = `${lock}.${process.pid}.${Date.now()}`;
  writeFileSync(mine, JSON.stringify(thisProcess()), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      try {
        // A hard link appears completely or not at all, and only one of two processes succeeds.
        linkSync(mine, lock);
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(lock);
      if (holder !== undefined && isHolderAlive(holder)) {
        throw new StackError(
          `The data folder ${folder} is in use by a running stack (process ${holder.pid}): stop that one first, or set DATA_DIR to another folder`,
        );
      }
      const stale = `${mine}.stale`;
      try {
        renameSync(lock, stale);
      } catch {
        continue;
      }
      // Another starter may have replaced the stale lock by its own between our read and our rename: restore it.
      const taken = readHolder(stale);
      if (taken !== undefined && isHolderAlive(taken)) {
        try {
          linkSync(stale, lock);
        } catch {
          // Another process holds it by now; the next round finds out which.
        }
      }
      rmSync(stale, { force: true });
    }
    throw new StackError(`The data folder ${folder} could not be locked: other starts keep taking it`);
  } finally {
    rmSync(mine, { force: true });
  }
}
