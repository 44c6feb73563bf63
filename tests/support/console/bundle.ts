import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolder } from '@agent-trust/console/built';

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: true; isDynamicEntry?: true };
/** As Vite describes what it has built. */
export type Manifest = Record<string, Chunk>;

/** The folder of each page's sources. */
export const pageFolders = ['home', 'agent', 'audit', 'registry', 'system', 'organisation', 'policy-lab'] as const;
export type PageFolder = (typeof pageFolders)[number];

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Manifest;
}

export function chunkOf(folder: PageFolder): string {
  return `src/pages/${folder}/page.tsx`;
}

/** The files of a chunk and of those that it imports, each once. */
export function filesOf(manifest: Manifest, name: string, seen: Set<string> = new Set()): string[] {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) return [];
  seen.add(name);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((one) => filesOf(manifest, one, seen))];
}

/** What a browser loads of scripts and styles if a page is the first that it opens, in bytes, each file compressed by gzip. */
export function firstPageBytes(manifest: Manifest, folder: PageFolder): number {
  const files = new Set(['index.html', chunkOf(folder)].flatMap((name) => filesOf(manifest, name)));
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(builtFolder, file))).length, 0);
}
