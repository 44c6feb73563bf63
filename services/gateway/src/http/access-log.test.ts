/** Bug: under load each request writes a line; or a flood of one kind hides the lines of the other, or what was left out is nowhere counted. */
import type { Logger } from '@agent-trust/service-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRequestLog } from './access-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = (linesPerSecondMax: number, isEnabled = true) => {
  const lines: [fields: Record<string, unknown>, message: string][] = [];
  const logger = {
    isLevelEnabled: () => isEnabled,
    warn: (fields: Record<string, unknown>, message: string) => void lines.push([fields, message]),
    info: (fields: Record<string, unknown>, message: string) => void lines.push([fields, message]),
  } as unknown as Logger;
  const { access, unserved } = createRequestLog(logger, linesPerSecondMax);
  const request = (route: string | null, status: number): void => access('GET', route, status, 1.26, 'r1');
  return { lines, request, unserved };
};

it('writes a line for each request with its route and never its URL', () => {
  const { lines, request } = start(2);
  request('/agent/:agent_id', 200);
  request(null, 404);
  expect(lines).toEqual([
    [{ method: 'GET', route: '/agent/:agent_id', status: 200, duration_ms: 1.3, request_id: 'r1' }, 'request'],
    [{ method: 'GET', route: null, status: 404, duration_ms: 1.3, request_id: 'r1' }, 'request'],
  ]);
});

it('counts what is beyond its limit, of served and of refused requests by themselves, and begins again each second', () => {
  const { lines, request } = start(2);
  for (let sent = 0; sent < 5; sent += 1) request('/registry', 200);
  request('/health', 503);
  for (let sent = 0; sent < 3; sent += 1) request(null, 404);
  expect(lines.map(([{ status }]) => status)).toEqual([200, 200, 503, 404]);
  vi.advanceTimersByTime(1_000);
  expect(lines.at(-1)).toEqual([
    { requests: { 'GET /registry 200': 3, 'GET unknown 404': 2 } },
    'more requests, counted',
  ]);
  request('/registry', 200);
  expect(lines.at(-1)?.[1]).toBe('request');
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(6);
  expect(vi.getTimerCount()).toBe(0);
});

it('only counts with a limit of 0, and does nothing below the level of info', () => {
  const counting = start(0);
  counting.request('/health', 200);
  vi.advanceTimersByTime(1_000);
  expect(counting.lines).toEqual([[{ requests: { 'GET /health 200': 1 } }, 'more requests, counted']]);
  const quiet = start(10, false);
  quiet.request('/health', 200);
  expect([quiet.lines.length, vi.getTimerCount()]).toEqual([0, 0]);
});

it('counts the reasons why requests could not be served beyond its limit, too', () => {
  const { lines, unserved } = start(2);
  const overloaded = new RangeError('as many as may wait');
  for (let sent = 0; sent < 5; sent += 1) unserved(overloaded, 'r1');
  vi.advanceTimersByTime(1_000);
  expect(lines).toEqual([
    [{ err: overloaded, request_id: 'r1' }, 'request could not be served'],
    [{ err: overloaded, request_id: 'r1' }, 'request could not be served'],
    [{ requests: { 'not served: RangeError': 3 } }, 'more requests, counted'],
  ]);
});
