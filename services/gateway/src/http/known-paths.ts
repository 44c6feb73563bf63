import { DomainError } from '@agent-trust/contracts';
import { HttpRefusal } from './refusal.ts';

/** Methods by path, with parameters in braces. */
export type KnownPath = { segments: readonly string[]; methods: readonly string[] };

export function knownPaths(routes: readonly { method: string; path: string; head: boolean }[]): KnownPath[] {
  return [...Map.groupBy(routes, (route) => route.path)].map(([path, ofPath]) => ({
    segments: path.split('/'),
    methods: ofPath.flatMap((route) => (route.head ? [route.method, 'HEAD'] : [route.method])),
  }));
}

/** Whether a URL is at a path, whose parameters stand in braces. */
export function isPath(path: readonly string[], url: string): boolean {
  const segments = (url.split('?', 1)[0] ?? '').split('/');
  return (
    path.length === segments.length &&
    path.every((segment, index) => (segment.startsWith('{') ? segments[index] !== '' : segment === segments[index]))
  );
}

/** What a request without a route is told: 405 where its path is known by other methods, else 404. */
export function noRoute(paths: readonly KnownPath[], method: string, url: string): DomainError {
  const known = paths.find(({ segments }) => isPath(segments, url));
  if (known === undefined) return new DomainError('route_not_found', 'there is nothing at this path');
  const allow = known.methods.join(', ');
  const refusal = new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`);
  return new HttpRefusal(refusal, { headers: { allow } });
}
