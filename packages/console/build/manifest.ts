import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from './built.ts';

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: true; isDynamicEntry?: true };
/** As Vite describes what it has built. */
export type Manifest = Record<string, Chunk>;

/** The folder of each page's sources, by the first part of the page's address below `/console`. */
export const pageFolders = {
  '': 'home',
  agents: 'agent',
  audit: 'audit',
  registry: 'registry',
  system: 'system',
  organisation: 'organisation',
  'policy-lab': 'policy-lab',
} as const;
export type PageFolder = (typeof pageFolders)[keyof typeof pageFolders];

/** Empty for a folder without one. */
export function readManifest(folder: string = builtFolder): Manifest {
  const file = join(folder, '.vite/manifest.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

/** The name of the chunk that has a page's script. */
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

/** The scripts of a page beside those that index.html names, such as `assets/page-DbPvd0.js`: a browser need not wait for the others to know of them. */
export function scriptsOf(manifest: Manifest, folder: PageFolder): string[] {
  const first = new Set(filesOf(manifest, 'index.html'));
  return filesOf(manifest, chunkOf(folder)).filter((file) => file.endsWith('.js') && !first.has(file));
}
