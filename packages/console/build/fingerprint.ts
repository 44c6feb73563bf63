import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
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

/** Of all sources of the console. Read without blocking: `npm start` waits for its servers meanwhile. */
export async function fingerprint(): Promise<string> {
  const files = (await Promise.all(sources.map(filesOf))).flat();
  const contents = await Promise.all(files.map((file) => readFile(join(repository, file))));
  const hash = createHash('sha256');
  for (const [at, content] of contents.entries()) hash.update(`${files[at]}\0`).update(content);
  return hash.digest('hex');
}

const filesOf = async (source: string): Promise<string[]> => {
  if (/\.\w+$/u.test(source)) return [source];
  const entries = await readdir(join(repository, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length + 1))
    .toSorted();
};
