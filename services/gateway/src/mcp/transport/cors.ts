import { mcpLimits } from '../limits.ts';

/** What lets a page of an allowed origin read answers (Fetch standard, CORS protocol). Credentials are in headers that it sets itself; there are no cookies. */
export const corsHeaders = (origin: string | undefined, origins: ReadonlySet<string>): Record<string, string> =>
  origin === undefined || !origins.has(origin)
    ? {}
    : {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Mcp-Session-Id, X-Request-Id',
        vary: 'Origin',
      };

/** The answer to a page that asks what it may send. */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, X-API-KEY, X-Request-Id',
  'access-control-max-age': String(mcpLimits.preflightSecondsMax),
});
