import { expect, test } from 'vitest';
import { type Attack, type AttackResult, gateTable } from '@agent-trust/simulation';
import { reportLines } from './report.ts';

const result = (missedSeeds: number[], passedSeeds: number[]): AttackResult => ({
  attack: gateTable.find(({ name }) => name === 'oscillation') as Attack,
  seeds: [1, 2, 3],
  figures: [
    {
      label: 'mean score',
      gate: { relation: '<', limit: 70 },
      values: [60, 61, 62.12345],
      worst: 62.12345,
      missedSeeds,
      control: { values: [71, 72, 73], best: 71, passedSeeds },
    },
  ],
  tracks: { policy: [], control: null },
  marks: [],
  isProven: missedSeeds.length === 0 && passedSeeds.length === 0,
});

test('says that all is well only if it is', () => {
  const lines = reportLines('v1', [result([], [])]);
  expect(lines.at(-1)).toBe('Every gate holds, and every control misses it.');
  expect(lines.join('\n')).toMatch(/mean score +< 70 +62\.123 {2}pass +71 {2}misses it, as it must/);
});

test('names the figure and the seeds of a missed gate, and of a control that meets one', () => {
  const text = reportLines('v1', [result([2], [1, 2, 3])]).join('\n');
  expect(text).toContain('FAIL');
  expect(text).toContain('MEETS IT, AND MUST NOT');
  expect(text).toContain('oscillation: mean score: the gate is missed for seed 2.');
  expect(text).toContain('oscillation: mean score: the control (plain mean) meets the gate for seeds 1–3.');
  expect(text).not.toContain('Every gate holds');
});
