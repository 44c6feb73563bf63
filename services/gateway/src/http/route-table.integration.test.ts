import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describedRoutes } from '@agent-trust/contracts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../testing/gateway-under-test.ts';

/**
 * Bug: a route is served and undocumented, or documented and missing. Method: the web framework itself reports each route that is added to it, in
 * any way; the result is compared with the table from which the document is made.
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

it('exactly the documented routes are served, including HEAD', () => {
  const described = describedRoutes.flatMap(({ method, path, withoutHead }) =>
    method === 'GET' && withoutHead !== true ? [`GET ${path}`, `HEAD ${path}`] : [`${method} ${path}`],
  );
  // A browser's preflight is not an operation: it precedes one.
  const operations = [...served].filter((route) => !route.startsWith('OPTIONS '));
  expect(operations.toSorted()).toEqual(described.toSorted());
});
