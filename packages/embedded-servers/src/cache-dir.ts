import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The per-user folder for downloaded programs: `$XDG_CACHE_HOME`, else `~/.cache`, else the temporary folder. */
export function defaultCacheDir(): string {
  const candidates = [
    process.env['XDG_CACHE_HOME'],
    join(homedir(), '.cache'),
    join(tmpdir(), `cache-${process.getuid?.() ?? 'user'}`),
  ];
  for (const base of candidates) {
    if (base === undefined || base === '') continue;
    const folder = join(base, 'agent-trust-registry');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new Error('no folder for cached programs can be written: set XDG_CACHE_HOME');
}
