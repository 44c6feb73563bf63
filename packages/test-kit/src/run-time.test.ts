import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startRunTime } from './run-time.ts';

it('counts a wait, and no pause of the process', async () => {
  const waited = startRunTime();
  const from = performance.now();
  await delay(100);
  const wholeMs = performance.now() - from;
  expect(waited()).toBeLessThanOrEqual(wholeMs + 1);

  const pausedFor = startRunTime();
  for (const endsAt = performance.now() + 400; performance.now() < endsAt; );
  expect(pausedFor()).toBeLessThan(300);
});
