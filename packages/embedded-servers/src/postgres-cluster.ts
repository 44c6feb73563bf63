import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresPrograms } from './postgres-programs.ts';
import { logTail, spawnServer } from './server-process.ts';
import { canReach, type SystemUser } from './unprivileged-user.ts';

/** A data folder that `initdb` has finished. */
export interface PostgresCluster {
  readonly folder: string;
  readonly password: string;
  readonly passClosedFolders: boolean;
}

export const superuser = 'postgres';
const passwordBytes = 24;

const makePassword = (file: string, user: SystemUser | undefined): string => {
  const password = randomBytes(passwordBytes).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  if (user !== undefined) chownSync(file, user.uid, user.gid);
  return password;
};

/**
 * Opens the cluster under `dataDir`, creating it if it is missing. It is created beside its final place and renamed when complete, so a process
 * killed half-way leaves nothing that a later start could mistake for a database.
 */
export async function openCluster(
  dataDir: string,
  programs: PostgresPrograms,
  user: SystemUser | undefined,
  durable: boolean,
): Promise<PostgresCluster> {
  const folder = join(dataDir, 'cluster');
  const unfinished = join(dataDir, 'cluster.unfinished');
  const passwordFile = join(dataDir, 'password');
  const logFile = join(dataDir, 'postgres.log');
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const passClosedFolders =
    user !== undefined && !(canReach(join(dataDir, 'x'), user) && canReach(programs.postgres, user));

  if (existsSync(join(folder, 'PG_VERSION'))) {
    if (!existsSync(passwordFile))
      throw new Error(
        `${passwordFile} is missing, so the database in ${folder} cannot be opened: restore it, or remove ${dataDir} to start over`,
      );
    return { folder, password: readFileSync(passwordFile, 'utf8'), passClosedFolders };
  }
  if (existsSync(folder))
    throw new Error(
      `${folder} is not a Postgres database (no PG_VERSION in it): restore it, or remove ${dataDir} to start over`,
    );

  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (user !== undefined) chownSync(unfinished, user.uid, user.gid);
  const password = makePassword(passwordFile, user);
  const initdb = spawnServer({
    command: programs.initdb,
    args: [
      `--pgdata=${unfinished}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--wal-segsize=4',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    env: { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' },
    cwd: dataDir,
    logFile,
    stopSignals: [{ signal: 'SIGTERM', waitMs: 5_000 }],
    ...user,
    passClosedFolders,
  });
  const outcome = await initdb.exited;
  if (outcome !== 'exit code 0')
    throw new Error(`the database in ${dataDir} could not be made (initdb: ${outcome}): ${logTail(logFile)}`);
  renameSync(unfinished, folder);
  return { folder, password, passClosedFolders };
}
