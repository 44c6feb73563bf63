import { chownSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const syncFolder = (path: string): void => {
  // Windows has no file descriptors of folders, and makes a rename durable by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

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
  renameSync(incoming, file);
  syncFolder(dirname(file));
}
