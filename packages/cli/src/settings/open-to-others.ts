import { statSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/**
 * Refuses a file of secrets that others on this machine may read or change. Windows has no such mode.
 *
 * @throws UsageError that says how to close it.
 */
export const refuseIfOpenToOthers = (path: string, what: string): void => {
  if (process.platform === 'win32') return;
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0)
    throw new UsageError(
      `${what} ${path} holds secrets and is open to others (mode ${(mode & 0o777).toString(8)}): run "chmod 600 ${path}", and replace them if anybody else uses this machine`,
    );
};
