import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a cache may keep a document that changes with the version of the service alone. */
const maxAgeSeconds = 300;

type Made = { text: string; etag: string };

/** Answers a JSON document of the registry's own, made once for each address of it (of which a process has one), with an ETag. */
export const publicDocument = (make: (baseUrl: string) => unknown) => {
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
    reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeSeconds}`);
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
    if (known?.includes(etag) === true || known?.includes('*') === true) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  };
};
