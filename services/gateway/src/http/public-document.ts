import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';

/** A JSON document and its ETag. */
export type Made = { text: string; etag: string };

/** Answers a JSON document of the registry's own, made once by its settings, with an ETag. */
export function publicDocument(make: (gateway: Gateway) => unknown) {
  const made = new WeakMap<Gateway, Made>();
  const madeFor = (gateway: Gateway): Made => {
    const known = made.get(gateway);
    if (known !== undefined) return known;
    const text = JSON.stringify(make(gateway));
    const document = { text, etag: `"${hash('sha256', text, 'base64url')}"` };
    made.set(gateway, document);
    return document;
  };
  return (request: FastifyRequest, reply: FastifyReply, gateway: Gateway): FastifyReply => {
    const { text, etag } = madeFor(gateway);
    if (hasCurrentCopy(request, reply, etag)) return reply.code(304).send();
    return sendJsonText(reply, text);
  };
}

/** How long a cache may keep what changes only with the version of the service. */
const maxAgeSeconds = 300;

/** Sets the headers for caches; true if the client has the current copy (RFC 9110 §13.1.2), which 304 then confirms. */
export function hasCurrentCopy(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  cacheControl = `public, max-age=${maxAgeSeconds}`,
): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  const current = known.find((tag) => tag === '*' || tag.replace(/^W\//u, '') === etag);
  // As the client has it: the tag of a compressed answer is weak.
  reply.header('etag', current === `W/${etag}` ? current : etag).header('cache-control', cacheControl);
  return current !== undefined;
}

/** Makes a document. @param headers those that are part of what must be current: X-Total-Count and Link */
export function madeOf(body: unknown, headers: readonly unknown[] = [undefined, undefined]): Made {
  const text = JSON.stringify(body);
  return { text, etag: `"${hash('sha256', JSON.stringify(headers) + text, 'base64url')}"` };
}

/** A cache asks before it answers what may change at any time. */
export const revalidated = 'private, no-cache';

/** Answers JSON that may change at any time, or 304 to a client that has it. */
export function sendUnlessCurrent(request: FastifyRequest, reply: FastifyReply, { text, etag }: Made): FastifyReply {
  if (hasCurrentCopy(request, reply, etag, revalidated)) return reply.code(304).send();
  return sendJsonText(reply, text);
}

export function sendJsonText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}

export type Page = { limit: number; offset: number };

/** RFC 8288 links to the next and previous page of a listing; empty on a single page. */
export function pageLinks(address: string, page: Page & Record<string, number | string>, total: number): string {
  const { limit, offset } = page;
  const link = (to: number, relation: string): string => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...page, offset: to })) query.set(name, String(value));
    return `<${address}?${query.toString()}>; rel="${relation}"`;
  };
  return [
    ...(offset + limit < total ? [link(offset + limit, 'next')] : []),
    ...(offset > 0 ? [link(Math.max(0, Math.min(offset, total) - limit), 'prev')] : []),
  ].join(', ');
}

/** Sets the total number of entries and, for a page, the links to its neighbours. */
export function setPageHeaders(
  reply: FastifyReply,
  address: string,
  page: (Page & Record<string, number | string>) | null,
  total: number,
): void {
  reply.header('x-total-count', String(total));
  const links = page === null ? '' : pageLinks(address, page, total);
  if (links !== '') reply.header('link', links);
}
