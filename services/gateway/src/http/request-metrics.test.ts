import { randomUUID } from 'node:crypto';
import { processMetrics } from '@agent-trust/metrics';
import { expect, it, vi } from 'vitest';
import { measureRequests } from './request-metrics.ts';

const seriesOf = async (attributes: Record<string, string>) => {
  const { metrics } = await processMetrics.collect('gateway');
  const found = metrics.find(({ name }) => name === 'http.server.request.duration')?.histograms ?? [];
  return found.filter((one) => Object.entries(attributes).every(([name, value]) => one.attributes[name] === value));
};

it('measures a request by the template of its route, and logs it', async () => {
  const log = vi.fn();
  // Of its own, because all tests of a process share the metrics.
  const route = `/measured/${randomUUID()}/:agent_id`;
  const measured = measureRequests(log, () => 'https');
  measured('GET', route, 200, 4, 'r1');
  measured('GET', route, 503, 6, 'r2');
  expect(log.mock.calls).toEqual([
    ['GET', route, 200, 4, 'r1', undefined],
    ['GET', route, 503, 6, 'r2', undefined],
  ]);
  expect(await seriesOf({ 'http.route': route })).toMatchObject([
    {
      attributes: { 'http.request.method': 'GET', 'url.scheme': 'https', 'http.response.status_code': '200' },
      count: 1,
      sum: 0.004,
    },
    { attributes: { 'http.response.status_code': '503', 'error.type': '503' }, count: 1 },
  ]);
});

it('tells what a limit of the caller alone refused from other failures', async () => {
  const route = `/limited/${randomUUID()}`;
  const measured = measureRequests(vi.fn(), () => 'http');
  measured('POST', route, 503, 1, 'r1', 'caller');
  measured('POST', route, 503, 1, 'r2');
  measured('POST', route, 503, 1, 'r3');
  const found = await seriesOf({ 'http.route': route, 'http.response.status_code': '503' });
  expect(found.map(({ count, attributes }) => [count, attributes['registry.limited_by']])).toEqual([
    [1, 'caller'],
    [2, undefined],
  ]);
});

// Bug: each method or path that somebody makes up is a time series.
it('measures made-up methods together, and requests without a route without one', async () => {
  const measured = measureRequests(vi.fn(), () => 'http');
  const before =
    (await seriesOf({ 'http.request.method': '_OTHER', 'http.response.status_code': '405' }))[0]?.count ?? 0;
  for (const method of ['MADE', 'UP', 'get']) measured(method, null, 405, 1, 'r');
  const found = await seriesOf({ 'http.request.method': '_OTHER', 'http.response.status_code': '405' });
  expect(found.map(({ count, attributes }) => [count - before, attributes['http.route']])).toEqual([[3, undefined]]);
});
