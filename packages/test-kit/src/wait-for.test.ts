import { expect, it } from 'vitest';
import { testClock } from './test-clock.ts';
import { waitFor } from './wait-for.ts';

it('returns the first truthy value, and treats errors as "not yet"', async () => {
  let calls = 0;
  const answer = await waitFor(
    () => {
      calls += 1;
      if (calls === 1) throw new Error('not reachable');
      return calls === 3 ? 'there' : undefined;
    },
    { intervalMs: 1 },
  );
  expect([answer, calls]).toEqual(['there', 3]);
});

it('gives up at the deadline and names the condition', async () => {
  const never = waitFor(() => Promise.reject(new Error('refused')), {
    timeoutMs: 10,
    intervalMs: 1,
    description: 'the server',
  });
  await expect(never).rejects.toMatchObject({
    message: 'the server did not hold within 10 ms',
    cause: new Error('refused'),
  });
});

it('has a clock that only the test moves', () => {
  const clock = testClock('2026-02-03T04:05:06Z');
  expect(clock.now()).toBe(clock.now());
  clock.advance(1_500);
  expect(clock.iso()).toBe('2026-02-03T04:05:07.500Z');
  clock.set(0);
  expect(clock.date()).toEqual(new Date(0));
  expect(() => clock.set('soon')).toThrow('not an instant: soon');
});
