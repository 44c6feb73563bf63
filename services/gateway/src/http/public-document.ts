import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCurrentCopy } from './has-current-copy.ts';

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
