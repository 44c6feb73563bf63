import { z } from 'zod';
import { docsSecurity } from './docs-routes.ts';
import { cacheHeaders, ifNoneMatch, textHeader, wordHeader } from './headers.ts';
import { answer, type Headers, type Route, type RouteAnswer } from './route.ts';

/**
 * Headers for browsers. The pages load nothing from elsewhere, no style or script in the page itself runs, a text never becomes markup or a script
 * (Trusted Types, without any policy), and no other page may frame them or send forms.
 */
export const consoleSecurity = {
  ...docsSecurity,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

const headers: Headers = {
  ...cacheHeaders,
  'Content-Security-Policy': wordHeader('Nothing is loaded from elsewhere, and no text becomes markup.', [
    consoleSecurity['Content-Security-Policy'],
  ]),
  'X-Frame-Options': wordHeader('Other pages may not frame it.', [consoleSecurity['X-Frame-Options']]),
  'Referrer-Policy': wordHeader('Links send no referrer.', [consoleSecurity['Referrer-Policy']]),
  'Cross-Origin-Opener-Policy': wordHeader('Other pages have no reference to its window.', [
    consoleSecurity['Cross-Origin-Opener-Policy'],
  ]),
  'Cross-Origin-Resource-Policy': wordHeader('No other site loads it.', [
    consoleSecurity['Cross-Origin-Resource-Policy'],
  ]),
  'Permissions-Policy': wordHeader('The pages use no device.', [consoleSecurity['Permissions-Policy']]),
};

const unchanged: RouteAnswer = { description: 'The version of If-None-Match is still current.', body: null, headers };

const partNames = ['page', 'subject', 'part'] as const;
const partTexts = ['Name of the page.', 'Whom or what it shows.', 'What of that.'] as const;

/**
 * A page of the console. One route for each number of segments, since a parameter of an OpenAPI path matches one segment. Declared without `route`:
 * the parameters are for the pages' own script, and any page has an answer.
 */
const pageRoute = (parts: 0 | 1 | 2 | 3) =>
  ({
    method: 'GET',
    path: ['/console', ...partNames.slice(0, parts).map((name) => `{${name}}`)].join('/'),
    operationId: parts === 0 ? 'readConsole' : `readConsolePage${parts === 1 ? '' : parts}`,
    summary: parts === 0 ? 'The console: web pages that show the registry' : 'A page of the console',
    description:
      'For people, where the setting CONSOLE is on; 404 otherwise. The page itself has no data: its address says which scripts it loads, and ' +
      "these ask this interface, with the reader's own credentials.",
    tag: 'Operations',
    credentials: ['none'],
    headers: ifNoneMatch,
    ...(parts === 0
      ? {}
      : {
          params: z.object(
            Object.fromEntries(
              partNames.slice(0, parts).map((name, at) => [name, z.string().meta({ description: partTexts[at] })]),
            ),
          ),
        }),
    answers: {
      200: answer('The page.', z.string().describe('HTML.'), '<!doctype html>', { contentType: 'text/html', headers }),
      304: unchanged,
    },
    errors: ['route_not_found'],
  }) satisfies Route;

/** The routes of pages by the number of segments behind /console. */
export const consolePageRoutes = [pageRoute(0), pageRoute(1), pageRoute(2), pageRoute(3)] as const;

/** Declared without `route`: its parameter is not validated, since an unknown file is simply not found. */
export const consoleFileRoute = {
  method: 'GET',
  path: '/console/assets/{file}',
  operationId: 'readConsoleFile',
  summary: 'A part of the console',
  description:
    'Scripts and styles that the pages load. A name contains a hash of the content, so a file never changes.',
  tag: 'Operations',
  credentials: ['none'],
  headers: ifNoneMatch,
  params: z.object({ file: z.string().meta({ description: 'Name of the file.' }) }),
  answers: {
    200: answer('The file.', z.string().describe('JavaScript, or CSS.'), '/* … */', {
      contentType: 'text/javascript',
      alsoAs: ['text/css'],
      headers: { ...headers, 'Cache-Control': textHeader('It never changes.', 'public, max-age=31536000, immutable') },
    }),
    304: unchanged,
  },
  errors: ['route_not_found'],
} satisfies Route;

/** The files first: readers of the document that take the first path that fits take the one that is meant. */
export const consoleRoutes: readonly Route[] = [consoleFileRoute, ...consolePageRoutes];
