import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const packageFolder = resolve(import.meta.dirname, '..');
const repository = resolve(packageFolder, '..', '..');

/** What the build reads: the console, the packages of the workspace that it is built from, and the versions of the others. */
const sources = [
  'packages/console/src',
  'packages/console/build',
  'packages/console/index.html',
  'packages/console/vite.config.ts',
  'packages/console/package.json',
  'packages/client/src',
  'packages/http-signature/src',
  'packages/transparency-log/src',
  'pnpm-lock.yaml',
];

/** Of all sources of the console. */
export function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(join(repository, file)));
  return hash.digest('hex');
}

const filesOf = (source: string): string[] => {
  if (/\.\w+$/u.test(source)) return [source];
  return readdirSync(join(repository, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length + 1))
    .toSorted();
};
