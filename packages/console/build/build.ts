import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { builtFolder, builtFrom, stampName } from './built.ts';
import { fingerprint } from './fingerprint.ts';

/**
 * Builds the console. The files are made beside the folder and take its place when they are whole, so that a build that was killed leaves the
 * former one, and of two builds at once each is whole.
 */
export async function buildConsole(): Promise<void> {
  // Whatever runs the build: Vite builds for development, and Vitest for tests, by this.
  process.env['NODE_ENV'] = 'production';
  const from = await fingerprint();
  const made = mkdtempSync(join(dirname(builtFolder), '.dist-'));
  try {
    const root = resolve(import.meta.dirname, '..');
    await build({ root, logLevel: 'error', build: { outDir: made, emptyOutDir: true } });
    writeFileSync(join(made, stampName), from);
    // The gateway of an image runs as another user.
    chmodSync(made, 0o755);
    const former = `${made}-former`;
    try {
      if (existsSync(builtFolder)) renameSync(builtFolder, former);
      renameSync(made, builtFolder);
    } catch (error) {
      // Another build was faster.
      if (builtFrom() !== from) throw error;
    } finally {
      rmSync(former, { recursive: true, force: true });
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

if (import.meta.main) await buildConsole();
