import { DomainError } from '@agent-trust/contracts';
import type { FastifyInstance } from 'fastify';
import { HttpRefusal } from './refusal.ts';

/** Methods by path, as fastify writes it: `/agent/:agent_id`. */
export type KnownPaths = ReadonlyMap<string, readonly string[]>;

/** The paths of all routes that are added to the server from now on. */
export function watchPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, string[]>();
  app.addHook('onRoute', ({ method, url }) => void paths.set(url, (paths.get(url) ?? []).concat(method)));
  return paths;
}

/** The path that a URL is at. */
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

/** The refusal of a request without a route: 405 if its path has other methods, else 404. */
export function noRoute(paths: KnownPaths, method: string, url: string): DomainError {
  const allow = paths.get(pathOf(paths.keys(), url) ?? '')?.join(', ');
  if (allow === undefined) return new DomainError('route_not_found', 'there is nothing at this path');
  const refusal = new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`);
  return new HttpRefusal(refusal, { headers: { allow } });
}
