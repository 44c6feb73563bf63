import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UsageError } from '../errors.ts';

export type StoredAgent = { agent_key?: string; key_file?: string };

export type Profile = {
  url?: string;
  org_name?: string;
  org_key?: string;
  sandbox_key?: string;
  /** The agent that acts if the command line names none. */
  agent_id?: string;
  agents?: Record<string, StoredAgent>;
  /** The verifier key of the registry's log, by which its signatures are verified. */
  log_key?: string;
};

type Config = { profiles: Record<string, Profile> };

/** How long a save waits for another one, which takes milliseconds. */
const lockWaitMs = 5_000;
const lockPollMs = 20;
/** An older lock was left by a process that died. */
const lockStaleMs = 10_000;

/** Path of the file: AGENT_TRUST_CONFIG, else below the folder for settings (XDG Base Directory 0.8: a relative XDG_CONFIG_HOME is ignored). */
export function configPath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['AGENT_TRUST_CONFIG'];
  if (named !== undefined && named !== '') return named;
  const folder = env['XDG_CONFIG_HOME'];
  const base = folder !== undefined && isAbsolute(folder) ? folder : join(env['HOME'] || homedir(), '.config');
  return join(base, 'agent-trust', 'config.json');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStrings = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');

const isProfile = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { agents = {}, ...strings } = value;
  return isStrings(strings) && isObject(agents) && Object.values(agents).every(isStrings);
};

/** Reads the config file; a missing one is empty. @throws UsageError if others may read it, or for another format. */
export function readConfig(path: string): Config {
  if (!existsSync(path)) return { profiles: {} };
  refuseIfOpenToOthers(path, 'The config file');
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The config file ${path} cannot be read as JSON: correct it, or remove it to start over`, {
      cause: error,
    });
  }
  const profiles = (parsed as { profiles?: unknown } | null)?.profiles;
  if (!isObject(profiles) || !Object.values(profiles).every(isProfile))
    throw new UsageError(
      `The config file ${path} must be {"profiles": {"default": {"url": …}}}: correct it, or remove it to start over`,
    );
  return parsed as Config;
}

const writeConfig = (path: string, config: Config): void => {
  const incoming = `${path}.${process.pid}.incoming`;
  writeFileSync(incoming, `${JSON.stringify(config, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(incoming, path);
};

const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Holds the lock beside the file while `work` runs: two commands that save at the same time must not undo each other. */
const withLock = (path: string, work: () => void): void => {
  const lock = `${path}.lock`;
  const until = Date.now() + lockWaitMs;
  for (;;) {
    try {
      writeFileSync(lock, '', { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > lockStaleMs) rmSync(lock, { force: true });
    else if (Date.now() > until)
      throw new UsageError(`${lock} is held by another command: remove it if none is running`);
    else pause(lockPollMs);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
};

/** Changes the config file in one step, readable only by its owner. Written beside it and renamed, so that no reader sees half of it. */
export function updateConfig(path: string, change: (config: Config) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  withLock(target, () => {
    const config = readConfig(target);
    change(config);
    writeConfig(target, config);
    chmodSync(target, 0o600);
  });
}

/** @throws UsageError for a file of secrets that others on this machine may read or change. Windows has no such mode. */
export function refuseIfOpenToOthers(path: string, what: string): void {
  if (process.platform === 'win32') return;
  const found = statSync(path);
  if (found.isDirectory()) throw new UsageError(`${what} ${path} is a folder`);
  // A device such as /dev/null stores nothing, and changing its mode would harm the whole machine.
  if (found.isCharacterDevice()) return;
  const { mode } = found;
  if ((mode & 0o077) !== 0)
    throw new UsageError(
      `${what} ${path} holds secrets and is open to others (mode ${(mode & 0o777).toString(8)}): run "chmod 600 ${path}", and replace them if anybody else uses this machine`,
    );
}
