import { spawnSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

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

/** The user for servers where this process is root: `postgres`, created if missing, else `nobody`. Undefined if this process is not root. */
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
      'servers must not run as root and no other system user could be made: start as an ordinary user, or set DATABASE_URL and NATS_URL',
    );
  return user;
}

/** Whether the permission bits of the folders let `user` reach `path`, and read it if it is there. */
export function canReach(path: string, user: SystemUser): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !allows(found, 0o4, user)) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!allows(statSync(folder), 0o1, user)) return false;
    if (folder === dirname(folder)) return true;
  }
}

const allows = ({ mode, uid, gid }: Stats, bit: number, user: SystemUser): boolean =>
  (mode & (uid === user.uid ? bit << 6 : gid === user.gid ? bit << 3 : bit)) !== 0;
