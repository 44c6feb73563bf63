import { type CrossOrigin, type Route, crossOriginOf, isForPages } from '@agent-trust/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { isPath } from './known-paths.ts';

/** Pages of other origins, which may use the HTTP interface where an operator has named them. */
export type ForeignPages = {
  /** Tells the browser, before anything else is known of the answer, whether a page may read it: refusals and streams, too. */
  tell(request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a page that asks what it may send; false where that is not what is asked, or not for it to ask. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean;
};

/**
 * To pages of no other origin and to paths that are not for pages nothing is said, as if there were no setting. The others' answers depend on who asks, which caches have to know of every one (`Vary`).
 *
 * @param origins As browsers send them; without any there are no such pages.
 */
export function createForeignPages(origins: readonly string[], routes: readonly Route[]): ForeignPages {
  if (origins.length === 0) return { tell: () => {}, answerPreflight: () => false };
  const allowed = new Set(origins);
  const paths = [...Map.groupBy(routes.filter(isForPages), ({ path }) => path)].map(([path, ofPath]) => ({
    segments: path.split('/'),
    may: crossOriginOf(ofPath),
  }));
  const mayAt = (url: string): CrossOrigin | undefined => paths.find(({ segments }) => isPath(segments, url))?.may;
  const allowedOrigin = ({ headers: { origin } }: FastifyRequest): string | undefined =>
    origin !== undefined && allowed.has(origin) ? origin : undefined;

  return {
    tell: (request, { raw }) => {
      const may = mayAt(pathOf(request));
      if (may === undefined) return;
      raw.setHeader('vary', 'Origin');
      const origin = allowedOrigin(request);
      if (origin === undefined) return;
      for (const [name, value] of Object.entries(corsHeaders(origin, may))) raw.setHeader(name, value);
    },
    answerPreflight: (request, reply) => {
      const { method, headers } = request;
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
      const may = mayAt(pathOf(request));
      if (may === undefined || allowedOrigin(request) === undefined) return false;
      reply.code(204).headers(preflightHeaders(may)).send();
      return true;
    },
  };
}

/** The path that was understood, which other writings of it lead to; what was sent, where none was. */
const pathOf = ({ routeOptions, raw }: FastifyRequest): string =>
  routeOptions.url?.replaceAll(/:(\w+)/gu, '{$1}') ?? raw.url ?? '';

/** Keeps what an answer says itself of what it depends on, beside what was told before it was known. */
export function keepVary(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const told = reply.raw.getHeader('vary');
    const own = reply.getHeader('vary');
    if (told !== undefined && own !== told && own !== '*') reply.header('vary', `${String(own)}, ${String(told)}`);
    done();
  });
}
