import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  buildOpenApi,
  describedRoutes,
  docsFileRoute,
  docsRoute,
  docsSecurity,
  openApiRoute,
  routesUnder,
  type DocsFileName,
  docsFileNames,
  homeRoute,
  type HomeWire,
} from '@agent-trust/contracts';
import accepts from 'accepts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { aboutRegistry } from '../../about-registry.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { pathNotFound } from '../../http/routes.ts';
import { hasCurrentCopy, publicDocument } from '../../http/public-document.ts';
import { homeLinks, homePageText } from './home-page.ts';

const home = endpoint(homeRoute, async ({ request, reply }, gateway) => {
  reply.header('vary', 'Accept');
  // Browsers name text/html; `*/*` alone gets JSON.
  if (accepts(request.raw).types(['json', 'html']) === 'html')
    return answerFile(request, reply, gateway.console === null ? homePage : homePageWithConsole);
  reply.headers(docsSecurity);
  return answerHome(request, reply, gateway);
});

const answerHome = publicDocument(({ baseUrl }): HomeWire => {
  const { title: name, version, description } = aboutRegistry;
  return { name, version, description, links: homeLinks(baseUrl) };
});

const docs = endpoint(docsRoute, async ({ request, reply }) => answerFile(request, reply, docsIndex));

const docsFile = endpoint(docsFileRoute, async ({ params, request, reply }) => {
  const file = docsFiles.get(params.file);
  if (file === undefined) throw pathNotFound();
  return answerFile(request, reply, file);
});

const answer = publicDocument(({ settings, baseUrl }) =>
  buildOpenApi(routesUnder(settings, describedRoutes), { ...aboutRegistry, baseUrl }),
);

const openapi = endpoint(openApiRoute, async ({ request, reply }, gateway) => answer(request, reply, gateway));

/** Answers a file of /docs, or 304 to a client that has it. */
function answerFile(request: FastifyRequest, reply: FastifyReply, { type, bytes, etag }: DocsFile): FastifyReply {
  reply.headers(docsSecurity);
  if (hasCurrentCopy(request, reply, etag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}

export const docsEndpoints: readonly Endpoint[] = [home, docs, docsFile, openapi];

/** A file of /docs, in memory. */
type DocsFile = { type: string; bytes: Buffer; etag: string };

const places: Record<DocsFileName, string> = {
  'swagger-ui-bundle.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  'swagger-ui.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  'start.js': import.meta.resolve('./browser/start.js'),
  'page.css': import.meta.resolve('./browser/page.css'),
};

const fileOf = (type: string, bytes: Buffer): DocsFile => ({
  type: `${type}; charset=utf-8`,
  bytes,
  etag: `"${hash('sha256', bytes, 'base64url')}"`,
});

const read = (name: DocsFileName): DocsFile =>
  fileOf(name.endsWith('.css') ? 'text/css' : 'text/javascript', readFileSync(new URL(places[name])));

/** The files by name, read at the start: a request only chooses among these. */
const docsFiles: ReadonlyMap<string, DocsFile> = new Map(docsFileNames.map((name) => [name, read(name)]));

/** The address of a file, which names its content for caches; relative, so that the pages work behind a prefix. */
const addressOf = (name: DocsFileName): string => `docs/${name}?v=${(docsFiles.get(name)?.etag ?? '').slice(1, 13)}`;

const docsIndex: DocsFile = fileOf('text/html', Buffer.from(docsPage()));

const homePageFile = (hasConsole: boolean): DocsFile =>
  fileOf('text/html', Buffer.from(homePageText(addressOf('page.css'), hasConsole)));
const [homePage, homePageWithConsole] = [homePageFile(false), homePageFile(true)];

function docsPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Trust Registry: interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addressOf('swagger-ui.css')}">
<link rel="stylesheet" href="${addressOf('page.css')}">
<link rel="alternate" type="application/json" href="openapi.json" title="OpenAPI 3.1">
</head>
<body>
<div id="docs"></div>
<noscript><p class="fallback">These pages are made by a script. The same as OpenAPI 3.1: <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="${addressOf('swagger-ui-bundle.js')}"></script>
<script src="${addressOf('start.js')}"></script>
</body>
</html>
`;
}
