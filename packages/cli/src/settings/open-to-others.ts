import { statSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

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
