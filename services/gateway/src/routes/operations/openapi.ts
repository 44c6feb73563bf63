import { hash } from 'node:crypto';
import { buildOpenApi, openApiRoute, routes } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const about = {
  title: 'Agent Trust Registry',
  version: '1.0.0',
};
const maxAgeSeconds = 300;

type Described = { text: string; etag: string };
/** One document for each address, of which a process has one. */
const described = new Map<string, Described>();

export const openapi: Endpoint = endpoint(openApiRoute, async ({ request, reply }, gateway) => {
  const { text, etag } = describe(gateway.baseUrl);
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeSeconds}`);
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  if (known?.includes(etag) === true || known?.includes('*') === true) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
});

const describe = (baseUrl: string): Described => {
  const made = described.get(baseUrl);
  if (made !== undefined) return made;
  const text = JSON.stringify(buildOpenApi(routes, { ...about, baseUrl }));
  const document = { text, etag: `"${hash('sha256', text, 'base64url')}"` };
  described.set(baseUrl, document);
  return document;
};
