import { z } from 'zod';
import { cacheHeaders, ifNoneMatch, wordHeader } from './headers.ts';
import { answer, type Headers, route, type Route, type RouteAnswer } from './route.ts';

export const openApiRoute = route({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describeInterface',
  summary: 'This description, as OpenAPI 3.1',
  description: 'For machines; the same is readable at /docs.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  answers: {
    200: answer(
      'The OpenAPI document.',
      z
        .looseObject({ openapi: z.string().describe('Version of OpenAPI.') })
        .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
      { openapi: '3.1.0', info: { title: 'Agent Trust Registry' } },
      { headers: cacheHeaders },
    ),
    304: {
      description: 'The document of If-None-Match is still current.',
      body: null,
      headers: cacheHeaders,
    },
  },
});

const homeLinks = {
  docs: 'the interface as pages for people',
  openapi: 'the interface as OpenAPI 3.1',
  registry: 'the agents that are registered',
  agent_card: "the registry's own A2A card",
  mcp: 'the MCP server (streamable HTTP)',
  health: 'the state of the service',
} as const;

export const homeWire = z
  .object({
    name: z.string().describe('What this is.'),
    version: z.string().describe('Version of the service and of its interface.'),
    description: z.string().describe('What it does.'),
    links: z
      .object(
        Object.fromEntries(
          Object.entries(homeLinks).map(([name, what]) => [name, z.url().describe(`Address of ${what}.`)]),
        ) as Record<keyof typeof homeLinks, z.ZodURL>,
      )
      .describe('Where its interfaces are.'),
  })
  .meta({ id: 'Home', description: 'What this service is, and where its interfaces are.' });
export type HomeWire = z.infer<typeof homeWire>;

/** The files of the documentation besides the page itself. */
export const docsFileNames = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'] as const;
export type DocsFileName = (typeof docsFileNames)[number];

/** Headers for browsers: the pages load nothing from elsewhere, and may not be framed. */
export const docsSecurity = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const headers: Headers = {
  ...cacheHeaders,
  'Content-Security-Policy': wordHeader('Nothing is loaded from elsewhere.', [docsSecurity['Content-Security-Policy']]),
  'X-Frame-Options': wordHeader('Other pages may not frame it.', [docsSecurity['X-Frame-Options']]),
  'Referrer-Policy': wordHeader('Links send no referrer.', [docsSecurity['Referrer-Policy']]),
  'Cross-Origin-Opener-Policy': wordHeader('Other pages have no reference to its window.', [
    docsSecurity['Cross-Origin-Opener-Policy'],
  ]),
  'Cross-Origin-Resource-Policy': wordHeader('No other site loads it.', [docsSecurity['Cross-Origin-Resource-Policy']]),
};

const unchanged: RouteAnswer = { description: 'The version of If-None-Match is still current.', body: null, headers };

export const homeRoute = route({
  method: 'GET',
  path: '/',
  operationId: 'readHome',
  summary: 'What this is',
  description: 'JSON for programs; a page for browsers, and whoever else names text/html in Accept.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  answers: {
    200: answer(
      'What this service is, and where its interfaces are.',
      homeWire,
      {
        name: 'Agent Trust Registry',
        version: '1.0.0',
        description: 'Who an agent is, how far to trust it, and a record of every exchange.',
        links: {
          docs: 'https://registry.example/docs',
          openapi: 'https://registry.example/openapi.json',
          registry: 'https://registry.example/registry',
          agent_card: 'https://registry.example/.well-known/agent-card.json',
          mcp: 'https://registry.example/mcp-http/mcp',
          health: 'https://registry.example/health',
        },
      },
      { headers, streamedAs: 'text/html', streamExample: '<!doctype html>' },
    ),
    304: unchanged,
  },
});

export const docsRoute = route({
  method: 'GET',
  path: '/docs',
  operationId: 'readDocs',
  summary: 'This description as web pages',
  description: 'Loads nothing from elsewhere. Requests can be tried out against this registry.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  answers: {
    200: answer('The page.', z.string().describe('HTML.'), '<!doctype html>', { contentType: 'text/html', headers }),
    304: unchanged,
  },
  errors: [],
});

/** Declared without `route`: its parameter is not validated, since an unknown file is simply not found. */
export const docsFileRoute = {
  method: 'GET',
  path: '/docs/{file}',
  operationId: 'readDocsFile',
  summary: 'A part of the pages',
  description: 'Scripts and styles that the page loads.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  params: z.object({
    file: z.string().meta({ enum: docsFileNames, description: 'Name of the file.' }),
  }),
  answers: {
    200: answer('The file.', z.string().describe('JavaScript, or CSS.'), '/* … */', {
      contentType: 'text/javascript',
      alsoAs: ['text/css'],
      headers,
    }),
    304: unchanged,
  },
  errors: ['route_not_found'],
} satisfies Route;

/** The pages for people. */
export const docsRoutes: readonly Route[] = [homeRoute, docsRoute, docsFileRoute];
