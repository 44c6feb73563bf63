import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isHolderAlive, thisProcess } from './folder-lock.ts';

/** What a running stack records for commands run beside it (`demo`, `replay`). */
export interface RunningStack {
  readonly url: string;
  readonly urls: readonly string[];
  readonly dataDir: string;
  /** ADMIN_KEY, ADMIN_TOKEN, and EVENT_LOG_URL, DATABASE_URL and NATS_URL as trust-projection has them. */
  readonly environment: Readonly<Record<string, string>>;
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
