import { expect, it } from 'vitest';
import { timeToStop } from './stop-requests.ts';

it.each([
  ['SIGTERM', 45_000, 45_000],
  ['SIGINT', 45_000, 10_000],
  ['parent_ended', 45_000, 10_000],
  ['SIGINT', 3_000, 3_000],
] as const)('after %s, with STOP_TIMEOUT_MS=%i, a stop may take %i ms', (request, stopTimeoutMs, expected) => {
  expect(timeToStop(request, stopTimeoutMs)).toBe(expected);
});
