import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Why a command cannot put a folder of its own at `path`, by renaming another to it; null if it can, because there is nothing or an empty folder.
 * Asked before long work: a rename finds it out at the end.
 */
export function newFolderFault(path: string): string | null {
  const target = resolve(path);
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isSymbolicLink()) return 'is a link';
  if (!found.isDirectory()) return 'is no folder';
  if (readdirSync(target).length > 0) return 'is not empty';
  return found.dev === statSync(dirname(target)).dev ? null : 'is where a file system is mounted';
}
