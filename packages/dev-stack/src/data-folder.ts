import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { syncFolder, writeDurably } from '@agent-trust/embedded-servers';
import { lockFolder } from './running-stack.ts';
import { removeScrapeTargets } from './scrape-targets.ts';
import { oneLine, StackError } from './stack-error.ts';

/** Enough for a fresh database, JetStream's files and the logs of a first day. */
const freeBytesMin = 300_000_000;

export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  readonly nats: string;
  readonly natsConfigFile: string;
  readonly logs: string;
  readonly secretsFile: string;
  /** Addresses and credentials of the running stack, for commands run beside it. */
  readonly stackFile: string;
  /** Where each process serves its metrics, for `file_sd_configs` of Prometheus. */
  readonly scrapeTargetsFile: string;
  /** Unlocks the folder; removes a temporary one. */
  readonly release: () => void;
}

/** Makes a folder and its parents, one at a time: Node's recursive mkdir never ends below a folder such as /proc. */
const makeFolder = (path: string): void => {
  const above = dirname(path);
  if (above !== path && !existsSync(above)) makeFolder(above);
  if (existsSync(path)) return;
  mkdirSync(path, { mode: 0o755 });
  // What is written below would be lost with the name in a power cut.
  syncFolder(above);
};

const openOrMake = (path: string): void => {
  try {
    makeFolder(path);
    if (!statSync(path).isDirectory())
      throw new StackError(`DATA_DIR ${path} is a file, not a folder: remove it or set DATA_DIR to another folder`);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StackError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new StackError(`DATA_DIR ${path} is a file or below one: remove it or set DATA_DIR to another folder`);
    if (code === 'ENOSPC')
      throw new StackError(
        `No disk space left for the data folder ${path}: free some, or set DATA_DIR to a folder on another disk`,
      );
    throw new StackError(
      `The data folder ${path} cannot be written (${oneLine(error)}): set DATA_DIR to a folder that can`,
    );
  }
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free < freeBytesMin) {
    throw new StackError(
      `Only ${Math.floor(free / 1e6)} MB of disk are free for the data folder ${path}, at least ${freeBytesMin / 1e6} MB are needed: free some, or set DATA_DIR to a folder on another disk`,
    );
  }
};

/** Opens and locks the data folder (`ephemeral`: a temporary one). @throws StackError if it cannot be used: a file, read-only, full, in use. */
export function openDataFolder(dataDir: string, ephemeral: boolean): DataFolder {
  const path = ephemeral ? mkdtempSync(join(tmpdir(), 'agent-trust-stack-')) : resolve(dataDir);
  openOrMake(path);
  const unlock = lockFolder(path);
  const logs = join(path, 'logs');
  try {
    makeFolder(logs);
    accessSync(join(logs, '.'), constants.W_OK | constants.X_OK);
  } catch (error) {
    unlock();
    throw new StackError(
      `The folder for logs ${logs} cannot be written (${oneLine(error)}): remove it or set DATA_DIR to another folder`,
    );
  }
  const stackFile = join(path, 'stack.json');
  const scrapeTargetsFile = join(path, 'prometheus-targets.json');
  return {
    path,
    postgres: join(path, 'postgres'),
    nats: join(path, 'nats'),
    natsConfigFile: join(path, 'nats.conf'),
    logs,
    secretsFile: join(path, 'secrets.json'),
    stackFile,
    scrapeTargetsFile,
    release: () => {
      removeScrapeTargets(scrapeTargetsFile);
      rmSync(stackFile, { force: true });
      unlock();
      if (ephemeral) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

const secretBytes = 32;

export type Secrets = Readonly<Record<string, string>>;

/** The secrets in a file; none if there is no file. @throws StackError */
export function readSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept === 'object' && kept !== null && Object.values(kept).every((value) => typeof value === 'string'))
      return kept as Record<string, string>;
  } catch {
    // Reported below.
  }
  throw new StackError(
    `${file} cannot be read (it must be a JSON object of strings): restore it, or remove it to have new credentials made`,
  );
}

/** A random secret. nats-server parses a password variable as a value of its configuration language, where a text that starts like a number is invalid. */
export function newSecret(name: string): string {
  return `${name.endsWith('_PASSWORD') ? 'pw' : ''}${randomBytes(secretBytes).toString('base64url')}`;
}

/** Reads the secrets in `file`, generates the missing ones of `names`, and stores them for the next start. Readable only by the owner. */
export function keepSecrets(file: string, names: readonly string[]): Secrets {
  const kept = readSecrets(file);
  const missing = names.filter((name) => kept[name] === undefined || kept[name] === '');
  if (missing.length > 0) {
    for (const name of missing) kept[name] = newSecret(name);
    writeSecrets(file, kept);
  }
  chmodSync(file, 0o600);
  return kept;
}

/** Replaces the secrets in a file, durably and as a whole. */
export function writeSecrets(file: string, secrets: Secrets): void {
  writeDurably(file, `${JSON.stringify(secrets, null, 2)}\n`);
}
