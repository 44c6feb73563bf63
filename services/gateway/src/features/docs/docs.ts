import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  buildOpenApi,
  describedRoutes,
  docsFileRoute,
  docsRoute,
  docsSecurity,
  openApiRoute,
  type DocsFileName,
  docsFileNames,
} from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { aboutRegistry } from '../../about-registry.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { pathNotFound } from '../../http/routes.ts';
import { hasCurrentCopy, publicDocument } from '../../http/public-document.ts';

const docs = endpoint(docsRoute, ({ request, reply }) => answerFile(request, reply, docsIndex));

const docsFile = endpoint(docsFileRoute, async ({ params, request, reply }) => {
  const file = docsFiles.get(params.file);
  if (file === undefined) throw pathNotFound();
  return answerFile(request, reply, file);
});

const answer = publicDocument((baseUrl) => buildOpenApi(describedRoutes, { ...aboutRegistry, baseUrl }));

const openapi = endpoint(openApiRoute, async ({ request, reply }, gateway) => answer(request, reply, gateway.baseUrl));

/** Answers a file of /docs, compressed if possible, or 304 to a client that has it. */
async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag, gzipped }: DocsFile,
): Promise<FastifyReply> {
  reply.headers(docsSecurity).header('vary', 'accept-encoding');
  if (hasCurrentCopy(request, reply, etag)) return reply.code(304).send();
  reply.type(type);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(await gzipped());
}

/** Whether gzip is accepted (RFC 9110 §12.5.3). */
const takesGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  String(acceptEncoding ?? '')
    .split(',')
    .some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/iu.test(coding));

export const docsEndpoints: readonly Endpoint[] = [docs, docsFile, openapi];

/** A file of /docs, in memory. */
type DocsFile = {
  type: string;
  bytes: Buffer;
  etag: string;
  /** Compressed on first use. */
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

/** The files by name, read at the start: a request only chooses among these. */
const docsFiles: ReadonlyMap<string, DocsFile> = new Map(docsFileNames.map((name) => [name, read(name)]));

const versionOf = (name: DocsFileName): string => (docsFiles.get(name)?.etag ?? '').slice(1, 13);

const docsIndex: DocsFile = fileOf('text/html', Buffer.from(docsPage(versionOf)));

/** The page at /docs. Addresses are relative, so that it works behind a prefix. @param versionOf Names the content of a file, for caches. */
function docsPage(
  versionOf: (file: 'swagger-ui-bundle.js' | 'swagger-ui.css' | 'start.js' | 'page.css') => string,
): string {
  const address = (file: Parameters<typeof versionOf>[0]): string => `docs/${file}?v=${versionOf(file)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Trust Registry: interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('page.css')}">
<link rel="alternate" type="application/json" href="openapi.json" title="OpenAPI 3.1">
</head>
<body>
<div id="docs"></div>
<noscript><p class="fallback">These pages are made by a script. The same as OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="${address('swagger-ui-bundle.js')}"></script>
<script src="${address('start.js')}"></script>
</body>
</html>
`;
}
