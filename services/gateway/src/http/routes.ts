import { deprecationHeaders, limits, DomainError, isClosed } from '@agent-trust/contracts';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { Gateway } from '../gateway.ts';
import type { Endpoint } from './endpoint.ts';
import { ignoreBodies } from './read-body.ts';
import { HttpRefusal } from './error-answer.ts';

/** `/agent/{agent_id}` as fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

export function addEndpoint(app: FastifyInstance, gateway: Gateway, endpoint: Endpoint): void {
  const { options, route } = endpoint;
  const dropsBody = route.body === undefined && route.method !== 'GET';
  if (options.streamsBody !== true && !dropsBody) return addTo(app, gateway, endpoint);
  // Parsers belong to a scope, so such a route has one of its own.
  app.register((scope, _options, done) => {
    if (options.streamsBody === true) {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    } else {
      ignoreBodies(scope);
    }
    addTo(scope, gateway, endpoint);
    done();
  });
}

const addTo = (scope: FastifyInstance, gateway: Gateway, endpoint: Endpoint): void => {
  const { route, options } = endpoint;
  scope.route({
    method: route.method === 'GET' && route.withoutHead !== true ? ['GET', 'HEAD'] : route.method,
    url: fastifyPath(route.path),
    bodyLimit: route.bodyBytesMax ?? limits.bodyBytesMax,
    config: {
      // A signature covers the bytes of a body, and so does an Idempotency-Key.
      keepsRawBody:
        route.credentials.includes('signature') ||
        isClosed(route, gateway.settings) ||
        route.headers?.['Idempotency-Key'] !== undefined,
      parsesBody: options.parsesBody,
      checksHost: route.anyHost !== true,
      compresses: route.method === 'GET' && route.relayed === undefined && route.secret !== true,
    },
    ...hooks(gateway, endpoint),
    handler: (request, reply) => endpoint.run(request, reply, gateway),
  });
};

const hooks = (gateway: Gateway, { route, options }: Endpoint): RouteShorthandOptions => {
  const onRequest: NonNullable<RouteShorthandOptions['onRequest']>[] = [];
  const { admit } = options;
  if (route.secret === true) {
    onRequest.push((_request, reply, done) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      done();
    });
  }
  if (route.deprecated !== undefined) {
    const headers = new Headers(deprecationHeaders(route.deprecated));
    // On the answer itself: streams are written without the framework's reply.
    onRequest.push((_request, reply, done) => {
      reply.raw.setHeaders(headers);
      done();
    });
  }
  if (admit !== undefined) onRequest.push((request, reply) => admit(request, reply, gateway));
  return onRequest.length > 0 ? { onRequest: onRequest as never } : {};
};

/** Methods by path, as fastify writes it: `/agent/:agent_id`. */
export type KnownPaths = ReadonlyMap<string, readonly string[]>;

/** The paths of all routes that are added from now on. */
export function watchPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, string[]>();
  app.addHook('onRoute', ({ method, url }) => void paths.set(url, (paths.get(url) ?? []).concat(method)));
  return paths;
}

export function pathOf(paths: Iterable<string>, url: string): string | undefined {
  const segments = (url.split('?', 1)[0] ?? '').split('/');
  return Iterator.from(paths).find((path) => {
    const own = path.split('/');
    return (
      own.length === segments.length &&
      own.every((segment, index) => (segment.startsWith(':') ? segments[index] !== '' : segment === segments[index]))
    );
  });
}

export function pathNotFound(): DomainError {
  return new DomainError('route_not_found', 'there is nothing at this path; GET /docs describes the interface');
}

/** The refusal of a request without a route: 405 if its path has other methods, else 404. */
export function noRoute(paths: KnownPaths, method: string, url: string): DomainError {
  const allow = paths.get(pathOf(paths.keys(), url) ?? '')?.join(', ');
  if (allow === undefined) return pathNotFound();
  const refusal = new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`);
  return new HttpRefusal(refusal, { headers: { allow } });
}
