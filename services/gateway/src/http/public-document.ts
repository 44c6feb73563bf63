import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Made = { text: string; etag: string };

/** Answers a JSON document of the registry's own, made once for each address of it (of which a process has one), with an ETag. */
export function publicDocument(make: (baseUrl: string) => unknown) {
  const made = new Map<string, Made>();
  const madeFor = (baseUrl: string): Made => {
    const known = made.get(baseUrl);
    if (known !== undefined) return known;
    const text = JSON.stringify(make(baseUrl));
    const document = { text, etag: `"${hash('sha256', text, 'base64url')}"` };
    made.set(baseUrl, document);
    return document;
  };
  return (request: FastifyRequest, reply: FastifyReply, baseUrl: string): FastifyReply => {
    const { text, etag } = madeFor(baseUrl);
    if (hasCurrentCopy(request, reply, etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
}

/** How long a cache may keep what changes with the version of the service alone. */
const maxAgeSeconds = 300;

/** Tells caches what the answer is known by, and whether the client has it already (RFC 9110 §13.1.2); then 304 says all. */
export function hasCurrentCopy({ headers }: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeSeconds}`);
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return known?.includes(etag) === true || known?.includes('*') === true;
}
