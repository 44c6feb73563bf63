/** Bug: a deprecated route says so in some of its answers, not in refusals or streams. Method: a made route that does each. */
import { answer, DomainError, route } from '@agent-trust/contracts';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import type { Endpoint } from './endpoint.ts';
import { addEndpoint } from './routes.ts';

const made = (
  path: string,
  run: Endpoint['run'],
  deprecated?: { since: string; sunset: string; instead: string },
): Endpoint => ({
  route: route({
    method: 'GET',
    path,
    operationId: 'made',
    summary: 'Made',
    description: 'Made.',
    tag: 'Agents',
    credentials: ['none'],
    answers: { 200: answer('It.', z.string(), 'it') },
    ...(deprecated === undefined ? {} : { deprecated }),
  }),
  options: {},
  run,
});
const soon = { since: '2026-11-24', sunset: '2027-06-01', instead: 'GET /new.' };

const app = fastify();
let url: string;
beforeAll(async () => {
  const endpoints = [
    made('/answers', () => Promise.resolve('it'), soon),
    made('/refuses', () => Promise.reject(new DomainError('agent_not_found', 'there is none')), soon),
    made(
      '/streams',
      (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/plain' }).end('it');
        return Promise.resolve();
      },
      soon,
    ),
    made('/stays', () => Promise.resolve('it')),
  ];
  for (const endpoint of endpoints) addEndpoint(app, { settings: {} } as Gateway, endpoint);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

it.each([
  ['/answers', '@1795478400', 'Tue, 01 Jun 2027 00:00:00 GMT'],
  ['/refuses', '@1795478400', 'Tue, 01 Jun 2027 00:00:00 GMT'],
  ['/streams', '@1795478400', 'Tue, 01 Jun 2027 00:00:00 GMT'],
  ['/stays', null, null],
])('%s', async (path, deprecation, sunset) => {
  for (const method of path === '/streams' ? ['GET'] : ['GET', 'HEAD']) {
    const { headers } = await fetch(`${url}${path}`, { method });
    expect([method, headers.get('deprecation'), headers.get('sunset')]).toEqual([method, deprecation, sunset]);
  }
});
