import { z } from 'zod';
import { cacheHeaders, ifNoneMatch, textHeader, wordHeader } from './headers.ts';
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
  Vary: wordHeader('The answer may be compressed.', ['accept-encoding']),
  'Content-Encoding': textHeader('gzip, if the client accepts it.', 'gzip'),
};

const unchanged: RouteAnswer = { description: 'The version of If-None-Match is still current.', body: null, headers };

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

/** The pages of the documentation. */
export const docsRoutes: readonly Route[] = [docsRoute, docsFileRoute];
