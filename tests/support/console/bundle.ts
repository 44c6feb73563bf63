import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolder } from '@agent-trust/console/built';
import { chunkOf, filesOf, type Manifest, type PageFolder } from '@agent-trust/console/manifest';

/** What a browser loads of scripts and styles if a page is the first that it opens, in bytes, each file compressed by gzip. */
export function firstPageBytes(manifest: Manifest, folder: PageFolder): number {
  // All pages share one file of styles, which belongs to no chunk.
  const styles = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : []));
  const files = new Set([...styles, ...['index.html', chunkOf(folder)].flatMap((name) => filesOf(manifest, name))]);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(builtFolder, file))).length, 0);
}
