import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { builtFolder, builtFrom } from '@agent-trust/console/built';
import { pageFolders, readManifest, scriptsOf } from '@agent-trust/console/manifest';
import { pageSettingsName } from '@agent-trust/console/page-settings';
import type { Logger } from '@agent-trust/service-kit';
import type { GatewaySettings } from '../../settings.ts';
import { pageSettingsOf } from './link-settings.ts';

export type ConsoleFile = { type: string; bytes: Buffer; etag: string };

/** The console's files, in memory: a request only chooses among these. */
export type ConsoleFiles = {
  /** The page at an address, by the first part of the address below `/console`: each has the scripts of its own loaded at once. */
  pages: ReadonlyMap<string, ConsoleFile>;
  /** At any other address. */
  page: ConsoleFile;
  /** What the page loads, by the name of the file below `assets`. */
  assets: ReadonlyMap<string, ConsoleFile>;
};

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** The files that the setting CONSOLE asks for; null if it is off, or if this installation has none, which is then logged. */
export function consoleFilesOf(
  { CONSOLE, BASE_URL, ...links }: Pick<GatewaySettings, 'CONSOLE' | 'BASE_URL' | 'TRACE_URL' | 'CHAIN_EXPLORER_URL'>,
  logger: Logger,
  folder: string = builtFolder,
): ConsoleFiles | null {
  if (CONSOLE === 'off') return null;
  if (builtFrom(folder) === null) {
    logger.warn({ folder }, 'CONSOLE is on, and the console is not built: nothing is served at /console');
    return null;
  }
  const assets = readdirSync(join(folder, 'assets')).flatMap((name): [string, ConsoleFile][] => {
    const type = types[extname(name)];
    return type === undefined ? [] : [[name, fileOf(type, readFileSync(join(folder, 'assets', name)))]];
  });
  // The page is served at addresses of several depths, also below the path of a proxy: what it loads is named from the root.
  const root = `${BASE_URL === undefined ? '' : new URL(BASE_URL).pathname.replace(/\/+$/u, '')}/console/`;
  const settings = `<meta name="${pageSettingsName}" content="${inAttribute(JSON.stringify(pageSettingsOf(links)))}">\n`;
  const index = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll(/(?<=(?:src|href)=")\.\//gu, () => root);
  const pageWith = (scripts: readonly string[]): ConsoleFile => {
    const preloads = scripts.map((file) => `<link rel="modulepreload" crossorigin href="${root}${file}">\n`);
    const page = index.replace('</head>', () => `${settings}${preloads.join('')}</head>`);
    return fileOf('text/html', Buffer.from(page));
  };
  const manifest = readManifest(folder);
  const pages = Object.entries(pageFolders).map(([part, name]) => [part, pageWith(scriptsOf(manifest, name))] as const);
  return { pages: new Map(pages), page: pageWith([]), assets: new Map(assets) };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const inAttribute = (text: string): string => text.replaceAll(/[&"<>]/gu, (character) => escapes[character] ?? '');

const fileOf = (type: string, bytes: Buffer): ConsoleFile => ({
  type: `${type}; charset=utf-8`,
  bytes,
  etag: `"${hash('sha256', bytes, 'base64url')}"`,
});
