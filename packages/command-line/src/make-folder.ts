import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** A folder that a command was given cannot be made, or must not be used; the message says which, why, and what to do. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/**
 * Makes a folder with those above it, which only the user can read; nothing to do where there is one. One by one: Node's recursive mkdir
 * never ends below /proc, where a folder that exists answers ENOENT.
 * @throws FolderError that names the folder and what keeps it from being made
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new FolderError(`${folder} is no folder: name another one.`);
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    throw new FolderError(
      `${folder} cannot be made in ${dirname(folder)} (${code}): name a folder below one that you may write.`,
      { cause },
    );
  }
}

/** The path without links, also of what does not exist yet. */
const realPath = (path: string): string => {
  const full = resolve(path);
  if (statSync(full, { throwIfNoEntry: false }) !== undefined || dirname(full) === full) return realpathSync(full);
  return join(realPath(dirname(full)), basename(full));
};

/** @throws FolderError if one of two folders lies in the other, or they are the same, by whatever links */
export function ensureApart(folder: string, other: string, rule: string): void {
  const isIn = (inner: string, outer: string): boolean => {
    const way = relative(realPath(outer), realPath(inner));
    return way !== '..' && !way.startsWith(`..${sep}`);
  };
  if (isIn(folder, other)) throw new FolderError(`${resolve(folder)} lies in ${resolve(other)}: ${rule}`);
  if (isIn(other, folder)) throw new FolderError(`${resolve(other)} lies in ${resolve(folder)}: ${rule}`);
}
