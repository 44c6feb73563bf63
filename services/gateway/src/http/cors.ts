import { type CorsRules, corsRulesOf, isOpenToPages, type Route } from '@agent-trust/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { edgeLimits } from '../limits.ts';
import { pathOf, fastifyPath } from './routes.ts';

/**
 * Lets a page of an allowed origin read an answer (Fetch standard, "CORS protocol"). Pages set the headers of credentials themselves: there
 * are no cookies, so Access-Control-Allow-Credentials is never sent.
 */
export function corsHeaders(origin: string, { answerHeaders }: CorsRules): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': answerHeaders.join(', '),
  };
}

export function preflightHeaders({ methods, requestHeaders }: CorsRules): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': String(edgeLimits.preflightSecondsMax),
  };
}

/**
 * Sets the headers of CORS before anything else is known about the answer, so that refusals and streams have them too, and answers a
 * preflight. True if the request is answered.
 */
type ApplyCors = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * CORS for the origins that an operator has named. Pages of other origins, and paths that no page may use, get the same answers as without
 * the setting. All other answers depend on Origin, and say so to caches (`Vary`), whoever the caller is.
 *
 * @param origins As browsers send them. Without any, no header is set.
 */
export function createCors(app: FastifyInstance, origins: readonly string[], routes: readonly Route[]): ApplyCors {
  if (origins.length === 0) return () => false;
  keepOwnVary(app);
  const rulesByPath = new Map(
    [...Map.groupBy(routes.filter(isOpenToPages), ({ path }) => fastifyPath(path))].map(([path, ofPath]) => [
      path,
      corsRulesOf(ofPath),
    ]),
  );
  return (request, reply) => {
    const path = request.routeOptions.url ?? pathOf(rulesByPath.keys(), request.raw.url ?? '');
    const rules = rulesByPath.get(path ?? '');
    if (rules === undefined) return false;
    // On the raw response, since streams are written past fastify.
    reply.raw.setHeader('vary', 'Origin');
    const { origin, 'access-control-request-method': preflighted } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return false;
    for (const [name, value] of Object.entries(corsHeaders(origin, rules))) reply.raw.setHeader(name, value);
    if (request.method !== 'OPTIONS' || preflighted === undefined) return false;
    reply.code(204).headers(preflightHeaders(rules)).send();
    return true;
  };
}

/** An answer's own `Vary` stays beside `Origin`. */
const keepOwnVary = (app: FastifyInstance): void => {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const own = reply.getHeader('vary');
    if (reply.raw.hasHeader('vary') && own !== 'Origin' && own !== '*') reply.header('vary', `${String(own)}, Origin`);
    done();
  });
};
