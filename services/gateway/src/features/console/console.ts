import { consoleFileRoute, consolePageRoutes, consoleSecurity } from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { hasCurrentCopy } from '../../http/public-document.ts';
import { pathNotFound } from '../../http/routes.ts';
import type { ConsoleFile } from './console-files.ts';

/** Another version has other files: a cache asks each time which ones. */
const askedEachTime = 'public, no-cache';
/** The name of a file contains a hash of its content. */
const neverChanges = 'public, max-age=31536000, immutable';

const pages = consolePageRoutes.map((route) =>
  endpoint(route, async ({ params, request, reply }, gateway) => {
    const { console } = gateway;
    return answerFile(request, reply, console?.pages.get(params?.['page'] ?? '') ?? console?.page, askedEachTime);
  }),
);

const file = endpoint(consoleFileRoute, async ({ params, request, reply }, gateway) =>
  answerFile(request, reply, gateway.console?.assets.get(params.file), neverChanges),
);

/** Of the deepest page: '', 'console', and its parts. */
const deepestSegments = consolePageRoutes.length + 1;

/**
 * The address by which the router finds the console's page where it would refuse the one that was asked for: one below /console that is too deep, or
 * is not percent-encoded UTF-8. The page says that there is no such page, as it does at any address that it does not know.
 */
export function consoleUrl(method: string | undefined, url: string): string {
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith('/console/') || (method !== 'GET' && method !== 'HEAD')) return url;
  return path.split('/').length <= deepestSegments && isDecodable(path) ? url : '/console';
}

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

export const consoleEndpoints: readonly Endpoint[] = [...pages, file];

const answerFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  found: ConsoleFile | undefined,
  cacheControl: string,
): FastifyReply => {
  if (found === undefined) throw pathNotFound();
  reply.headers(consoleSecurity);
  if (hasCurrentCopy(request, reply, found.etag, cacheControl)) return reply.code(304).send();
  return reply.type(found.type).send(found.bytes);
};
