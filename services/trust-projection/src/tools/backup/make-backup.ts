import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { newFolderFault } from '@agent-trust/command-line';
import { syncFolder, writeDurably } from '@agent-trust/log-archive';
import { registryVersion } from '@agent-trust/service-kit';
import pg from 'pg';
import { BackupError } from './backup-error.ts';
import { type Described, describeTable } from './describe-table.ts';
import { backupLimits } from './limits.ts';
import { backupFormat, type Manifest, type ManifestPart, sealBackup, secretsFile } from './manifest.ts';
import { fileOf, nameOf, type Part, type Place, steps } from './parts.ts';
import { columnsOf, copyOut } from './table-files.ts';
import type { Secrets } from './secrets.ts';
import { verifyBackup } from './verify-backup.ts';

export type BackupRequest = {
  /** Addresses with users that may read every table of `steps`. */
  urls: Readonly<Record<Place, string>>;
  /** What the secrets are now; null to leave them out. */
  readSecrets: (() => Secrets) | null;
  to: string;
  /** May set keys of personal data, which the registry then has instead of those of `readSecrets`. */
  env: NodeJS.ProcessEnv;
  onPart: (part: ManifestPart) => void;
  /** All is copied, and read from the beginning now. */
  onVerify: () => void;
  signal: AbortSignal;
};

/**
 * Copies what cannot be computed from anything else into a new folder, while the registry runs. The folder has another name until it is complete,
 * on the disk, and was read back.
 * @throws BackupError if the folder is taken or something needed is not there; database errors
 */
export async function makeBackup(request: BackupRequest): Promise<Manifest> {
  const { urls, readSecrets, env, onPart, signal } = request;
  const target = resolve(request.to);
  const unfinished = `${target}.unfinished`;
  const fault = newFolderFault(target);
  if (fault !== null) throw new BackupError(`${target} ${fault}: name a folder that does not exist yet.`);
  if (existsSync(unfinished))
    throw new BackupError(`${unfinished} is of a backup that was interrupted, or is under way: remove it if none is.`);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  // Fails for the second of two backups that begin at the same moment.
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    const secrets = readSecrets?.() ?? null;
    const parts: ManifestPart[] = [];
    const found = { checkpoint: null } as Described;
    for (const step of steps)
      for (const part of await copyStep({ step, urls, folder: unfinished, found, signal })) {
        parts.push(part);
        onPart(part);
      }
    if (secrets !== null) {
      if (JSON.stringify(secrets) !== JSON.stringify(readSecrets?.()))
        throw new BackupError('A secret was replaced while the backup was made: run it again.');
      await writeDurably(join(unfinished, secretsFile), `${JSON.stringify(secrets, null, 2)}\n`);
    }
    request.onVerify();
    const names = secrets === null ? null : Object.keys(secrets).sort();
    const about = { format: backupFormat, madeAt: new Date().toISOString(), registryVersion, secrets: names, parts };
    await sealBackup(unfinished, { ...found, ...about }, signal);
    const manifest = await verifyBackup(unfinished, { given: null, env, signal });
    signal.throwIfAborted();
    if (existsSync(target)) rmdirSync(target);
    renameSync(unfinished, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

type StepRequest = Pick<BackupRequest, 'urls' | 'signal'> & {
  step: readonly Part[];
  folder: string;
  found: Described;
};

/** Copies the tables of one step, which are in one database, as they were at one moment. */
const copyStep = async ({ step, urls, folder, found, signal }: StepRequest): Promise<ManifestPart[]> => {
  const place = step[0]?.place ?? 'database';
  const client = new pg.Client({
    connectionString: urls[place],
    application_name: 'backup',
    connectionTimeoutMillis: backupLimits.connectTimeoutMs,
    lock_timeout: backupLimits.lockTimeoutMs,
  });
  // A broken connection fails the running statement; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const parts: ManifestPart[] = [];
    for (const part of step) {
      const columns = await columnsOf(client, part);
      if (columns.length === 0) {
        // trust-projection makes its schemas when it first starts.
        if (place === 'database' && part.schema !== 'personal_data') continue;
        throw new BackupError(`There is no table ${nameOf(part)}: this is no database of the registry.`);
      }
      const file = fileOf(part);
      const copied = await copyOut(client, part, columns, join(folder, file), signal);
      parts.push({ schema: part.schema, table: part.table, file, columns, ...copied });
      Object.assign(found, await describeTable(client, part));
    }
    await client.query('COMMIT');
    return parts;
  } finally {
    await client.end();
  }
};
