import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a cache may keep what changes with the version of the service alone. */
const maxAgeSeconds = 300;

/** Tells caches what the answer is known by, and whether the client has it already (RFC 9110 §13.1.2); then 304 says all. */
export function hasCurrentCopy({ headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeSeconds}`);
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return known?.includes(etag) === true || known?.includes('*') === true;
}
