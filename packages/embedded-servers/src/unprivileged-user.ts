import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A user of the system that Postgres may run as. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const commandTimeoutMs = 10_000;
const userName = 'postgres';

const idOf = (flag: '-u' | '-g', name: string): number | undefined => {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8', timeout: commandTimeoutMs });
  return result.status === 0 ? Number.parseInt(result.stdout, 10) : undefined;
};

const lookUp = (name: string): SystemUser | undefined => {
  const uid = idOf('-u', name);
  const gid = idOf('-g', name);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
};

/** The user for Postgres, which refuses to run as root: `postgres`, created if missing, else `nobody`. Undefined if this process is not root. */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = lookUp(userName);
  if (existing !== undefined) return existing;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName], {
    timeout: commandTimeoutMs,
  });
  const user = lookUp(userName) ?? lookUp('nobody');
  if (user === undefined)
    throw new Error(
      'Postgres cannot run as root and no other system user could be made: start as an ordinary user, or set DATABASE_URL',
    );
  return user;
}

/** Whether the permission bits of the folders let `user` reach `path`. */
export function canReach(path: string, user: SystemUser): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
