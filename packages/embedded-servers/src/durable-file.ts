import { chownSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  // Windows has no file descriptors of folders, and makes a rename durable by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes a file that only its owner can read, so that after a power cut it has either its old content or all of the new one: the content
 * reaches the disk before the name, and the name before this returns.
 */
export function writeDurably(file: string, text: string, owner?: { uid: number; gid: number }): void {
  const incoming = `${file}.incoming`;
  rmSync(incoming, { force: true });
  const descriptor = openSync(incoming, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (owner !== undefined) chownSync(incoming, owner.uid, owner.gid);
  renameDurably(incoming, file);
}

/** Gives a file or folder, whose content is on the disk, another name in the same folder, which is on the disk too when this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}
