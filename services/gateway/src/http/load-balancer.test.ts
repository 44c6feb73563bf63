/** Bug: nginx gives up a request before the gateway does, or keeps a connection that the gateway is about to close. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callOverheadMs, limits } from '@agent-trust/contracts';
import { expect, it } from 'vitest';
import { edgeLimits } from '../limits.ts';
import { settings } from '../settings.ts';

const folder = resolve(import.meta.dirname, '../../../../infra/nginx');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, d: 86_400_000 };

/** Milliseconds of a directive, which must be there once. */
const msOf = (file: string, directive: string): number => {
  const found = [...read(file).matchAll(new RegExp(`^ *${directive} (\\d+)([smd]);`, 'gmu'))];
  expect([file, directive, found.length]).toEqual([file, directive, 1]);
  return Number(found[0]?.[1]) * (unitsMs[found[0]?.[2] ?? ''] ?? Number.NaN);
};

it('waits longer than a gateway for an agent, a read model and a silent stream', () => {
  const { CALL_TIMEOUT_MS, READ_MODEL_WAIT_MS } = settings.shape;
  const defaultsMs = CALL_TIMEOUT_MS.parse(undefined) + READ_MODEL_WAIT_MS.parse(undefined);
  const callMs = defaultsMs + callOverheadMs + edgeLimits.readModelMarginMs;
  expect(msOf('to-gateways.conf', 'proxy_read_timeout')).toBeGreaterThan(callMs + edgeLimits.longAnswers.waitMs);
  expect(msOf('to-gateways.conf', 'proxy_read_timeout')).toBeGreaterThan(edgeLimits.callIdleTimeoutMs);
});

it.each(['gateways.conf', 'compose.conf'])('%s closes idle connections before a gateway does', (file) => {
  expect(msOf(file, 'keepalive_timeout')).toBeLessThan(edgeLimits.keepAliveTimeoutMs);
});

it('passes on as much of a request as a gateway takes', () => {
  const mebibytes = /client_max_body_size (\d+)m;/u.exec(read('http.conf'))?.[1];
  expect(Number(mebibytes) * 1024 * 1024).toBeGreaterThan(limits.callBodyBytesMax);
  const kibibytes = /large_client_header_buffers \d+ (\d+)k;/u.exec(read('http.conf'))?.[1];
  expect(Number(kibibytes) * 1024).toBe(edgeLimits.headerBytesMax);
});

it('retries no request that may have been carried out', () => {
  const directives = /^ *proxy_next_upstream (.*);$/mu.exec(read('to-gateways.conf'))?.[1];
  expect(directives).toBe('error timeout');
});
