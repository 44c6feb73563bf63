/** The built console: how much a browser loads for its first page, and that the rest is loaded page by page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureConsole } from '@agent-trust/console/build';
import { builtFolder } from '@agent-trust/console/built';
import { beforeAll, describe, expect, it } from 'vitest';

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: true; isDynamicEntry?: true };
/** As Vite describes what it has built. */
type Manifest = Record<string, Chunk>;

const kibibyte = 1024;
const firstPageBytesMax = 200 * kibibyte;

let manifest: Manifest = {};
beforeAll(async () => {
  await ensureConsole();
  manifest = JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Manifest;
});

/** The files of a chunk and of those that it imports, each once. */
const filesOf = (name: string, seen = new Set<string>()): string[] => {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) return [];
  seen.add(name);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((one) => filesOf(one, seen))];
};
const gzipBytesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(builtFolder, file))).length, 0);

const pageOf = (folder: string): string => `src/pages/${folder}/page.tsx`;
const folders = ['home', 'agent', 'audit', 'registry', 'system', 'organisation', 'policy-lab'];

describe('the built console', () => {
  it.each(folders)('loads at most 200 KB, compressed, if %s is the first page', (folder) => {
    const files = new Set(['index.html', pageOf(folder)].flatMap((name) => filesOf(name)));
    expect(manifest['index.html']?.isEntry).toBe(true);
    expect(manifest[pageOf(folder)]?.isDynamicEntry).toBe(true);
    expect(gzipBytesOf(files)).toBeLessThanOrEqual(firstPageBytesMax);
  });

  it('loads the script of a page only when it is opened', () => {
    const first = new Set(filesOf('index.html'));
    for (const folder of folders) expect(first.has(manifest[pageOf(folder)]?.file ?? '')).toBe(false);
  });

  it('names no address of its own, so that it works below a path of a proxy', () => {
    expect(readFileSync(join(builtFolder, 'index.html'), 'utf8')).toMatch(/src="\.\/assets\/[\w-]+\.js"/u);
  });
});
