import { open } from 'node:fs/promises';

/** Writes a file that only its owner can read, and that is on the disk when this resolves; its name is only after `syncFolder`. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders as files, and makes a rename durable by itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
