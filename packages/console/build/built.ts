import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the built console is. */
export const builtFolder: string = join(import.meta.dirname, '..', 'dist');

/** Beside the files: what they were built from. */
export const stampName = 'fingerprint';

/** The fingerprint of what the console was built from; null if it is not built. */
export function builtFrom(folder: string = builtFolder): string | null {
  const stamp = join(folder, stampName);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}
