import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describedRoutes } from '@agent-trust/contracts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../testing/gateway-under-test.ts';

/**
 * The bug: a route that is served and nobody reads of, or one that is described and not there. The method: the web framework itself tells
 * of each route that is added to it, in whatever way, and the table that comes of it is held against the one that the document is made of.
 */

let under: GatewayUnderTest;
const served = new Set<string>();

const watch = (message: unknown): void => {
  const { fastify: app } = message as { fastify: FastifyInstance };
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) served.add(`${one} ${url.replaceAll(/:(\w+)/gu, '{$1}')}`);
  });
};

beforeAll(async () => {
  subscribe('fastify.initialization', watch);
  under = await startGatewayUnderTest();
});
afterAll(async () => {
  unsubscribe('fastify.initialization', watch);
  await under.stop();
});

it('every route that the gateway serves is described, and every one that is described is served, HEAD included', () => {
  const described = describedRoutes.flatMap(({ method, path, withoutHead }) =>
    method === 'GET' && withoutHead !== true ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  );
  // A preflight of browsers is no operation: it says which of them may be asked for.
  const operations = [...served].filter((route) => !route.startsWith('OPTIONS '));
  expect(operations.toSorted()).toEqual(described.toSorted());
});
