import { setImmediate } from 'node:timers/promises';
import { metricLimits } from '@agent-trust/metrics';
import { expect, it } from 'vitest';
import { rememberPositions } from './recent-positions.ts';

const { recentStepMs, recentSteps } = metricLimits;

it('remembers where log and read models were at each step, and nothing of a step at which one could not be asked', async () => {
  let step = 1_000;
  let head: bigint | null = null;
  let fails = false;
  let questions = 0;
  const parts = {
    log: { headPosition: async () => head },
    database: {
      query: async <Row extends object>(): Promise<Row[]> => {
        questions += 1;
        if (fails) throw new Error('the database is away');
        return [{ position: head === null ? null : head - 2n }] as unknown as Row[];
      },
    },
  };
  const { look, shown, stop } = rememberPositions(parts, () => step * recentStepMs);
  stop();
  // It looks when it begins; a second look at the same time asks nothing.
  await look();
  expect(questions).toBe(1);
  await setImmediate();
  for (head of [7n, 9n, 12n]) {
    step += 1;
    fails = head === 9n;
    await look();
  }
  expect(shown().values.slice(-4)).toEqual([
    null,
    { position: null, headPosition: null },
    { position: '5', headPosition: '7' },
    null,
  ]);
  expect(shown().firstStep).toBe(1_003 - recentSteps);
  step += 1;
  expect(shown().values.at(-1)).toEqual({ position: '10', headPosition: '12' });
});
