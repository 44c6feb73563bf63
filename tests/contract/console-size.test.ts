/** The built console: how much a browser loads for its first page, and that the rest is loaded page by page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureConsole } from '@agent-trust/console/build';
import { builtFolder } from '@agent-trust/console/built';
import { chunkOf, filesOf, type Manifest, pageFolders, readManifest } from '@agent-trust/console/manifest';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstPageBytes } from '../support/console/bundle.ts';

const kibibyte = 1024;
const firstPageBytesMax = 200 * kibibyte;
/** Each file costs a browser a request before it shows anything. */
const firstPageFilesMax = 9;
const folders = Object.values(pageFolders);

let manifest: Manifest = {};
beforeAll(async () => {
  await ensureConsole();
  manifest = readManifest();
});

describe('the built console', () => {
  it.each(folders)('loads at most 200 KB, compressed, if %s is the first page', (folder) => {
    expect(manifest['index.html']?.isEntry).toBe(true);
    expect(manifest[chunkOf(folder)]?.isDynamicEntry).toBe(true);
    expect(firstPageBytes(manifest, folder)).toBeLessThanOrEqual(firstPageBytesMax);
    const files = new Set(['index.html', chunkOf(folder)].flatMap((name) => filesOf(manifest, name)));
    expect(files.size).toBeLessThanOrEqual(firstPageFilesMax);
  });

  it('loads the script of a page only when it is opened', () => {
    const first = new Set(filesOf(manifest, 'index.html'));
    for (const folder of folders) expect(first.has(manifest[chunkOf(folder)]?.file ?? '')).toBe(false);
  });

  it('names no address of its own, so that it works below a path of a proxy', () => {
    expect(readFileSync(join(builtFolder, 'index.html'), 'utf8')).toMatch(/src="\.\/assets\/[\w-]+\.js"/u);
  });
});
