import type { CrossOrigin } from '@agent-trust/contracts';
import { edgeLimits } from '../limits.ts';

/**
 * What lets a page of an allowed origin read an answer (Fetch standard, "CORS protocol"). Credentials stand in headers that the page sets
 * itself: there are no cookies, so Access-Control-Allow-Credentials is never sent.
 */
export function corsHeaders(origin: string, { answerHeaders }: CrossOrigin): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': answerHeaders.join(', '),
  };
}

/** The answer to a page that asks what it may send. */
export function preflightHeaders({ methods, requestHeaders }: CrossOrigin): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': String(edgeLimits.preflightSecondsMax),
  };
}
