import { expect, it } from 'vitest';
import { stepsOf, totalOf } from './steps.ts';

it('puts what is known of each step side by side', () => {
  const sum = {
    requests: [null, 120, 90],
    calls: [null, 12, 9],
    verifies: [null, 88, 61],
    refusals: [
      { code: 'rate_limited', counts: [null, 0, 3] },
      { code: 'overloaded', counts: [null, 1, 1] },
    ],
  };
  const steps = stepsOf({
    checked_at: '2026-01-16T08:00:47.000Z',
    step_seconds: 15,
    since: '2026-01-16T08:00:00.000Z',
    sum,
    gateways: [],
    projection: {
      instance_id: 'trust-projection-1',
      points: [null, { position: '4708', head_position: '4711', lag: 3 }, null],
    },
  });
  const start = Date.parse('2026-01-16T08:00:00.000Z');
  expect(steps).toEqual([
    { atMs: start, calls: null, verifies: null, refusals: null, lag: null },
    { atMs: start + 15_000, calls: 12, verifies: 88, refusals: 1, lag: 3 },
    { atMs: start + 30_000, calls: 9, verifies: 61, refusals: 4, lag: null },
  ]);
  expect(totalOf(sum.calls)).toBe(21);
});
