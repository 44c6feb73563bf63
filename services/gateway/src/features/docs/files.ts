import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type DocsFileName, docsFileNames } from '@agent-trust/contracts';
import { docsPage } from './page.ts';

/** Something that /docs is made of, in memory. */
export type DocsFile = {
  type: string;
  bytes: Buffer;
  etag: string;
  /** The bytes compressed; made when they are first asked for. */
  gzipped: () => Promise<Buffer>;
};

const places: Record<DocsFileName, string> = {
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'start.js': import.meta.resolve('./browser/start.js'),
  'page.css': import.meta.resolve('./browser/page.css'),
};

const compress = promisify(gzip);

const fileOf = (type: string, bytes: Buffer): DocsFile => {
  let compressed: Promise<Buffer> | undefined;
  return {
    type: `${type}; charset=utf-8`,
    bytes,
    etag: `"${hash('sha256', bytes, 'base64url')}"`,
    gzipped: () => (compressed ??= compress(bytes)),
  };
};

const read = (name: DocsFileName): DocsFile =>
  fileOf(name.endsWith('.css') ? 'text/css' : 'text/javascript', readFileSync(new URL(places[name])));

/** The files by name. Read once, at the start: a name of a request only ever chooses among these. */
export const docsFiles: ReadonlyMap<string, DocsFile> = new Map(docsFileNames.map((name) => [name, read(name)]));

const versionOf = (name: DocsFileName): string => (docsFiles.get(name)?.etag ?? '').slice(1, 13);

export const docsIndex: DocsFile = fileOf('text/html', Buffer.from(docsPage(versionOf)));
