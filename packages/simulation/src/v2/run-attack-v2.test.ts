import { policyV2 } from '@agent-trust/trust-policy';
import { describe, expect, test } from 'vitest';
import type { Gate } from '../attacks/attack.ts';
import { attackPlotV2 } from './attack-plot-v2.ts';
import { type AttackV2, atMost, exactly, missedFor, played, promise, type PromiseV2 } from './attack-v2.ts';
import { gateTableV2 } from './gate-table-v2.ts';
import { figureRows, reportJsonV2, reportLinesV2 } from './report-v2.ts';
import { runAttackV2 } from './run-attack-v2.ts';

/** A row whose figures are the prior of an agent (75) and what one bad review leaves of it: 59 by v2, 0 by the plain mean. */
const attackWith = (gate: Gate, value?: number, promised: PromiseV2 = promise(gate, 'plain mean')): AttackV2 => ({
  name: 'example',
  title: 'Example',
  steps: 'reviews',
  marks: [],
  cases: [
    {
      label: 'one',
      figures: { prior: null, left: promised },
      play: (newScoring) => {
        const scoring = newScoring();
        for (const agent of ['a', 'b']) scoring.setPrior(agent, 75, agent);
        const prior = scoring.score('a');
        const roots = scoring.rootsOf('b', null);
        scoring.record('a', { reviewer: 'b', roots, trust: 75, reviewedAt: 0, success: false, score: 1 });
        return played({ prior, left: value ?? scoring.score('a') }, [prior, scoring.score('a')]);
      },
    },
  ],
});

describe('a row of the gate table of v2', () => {
  test('is proven if all gates hold and each control misses its own', () => {
    const result = runAttackV2(attackWith({ relation: '>=', limit: 50 }), policyV2, [1, 2], { isBesideV1: true });
    const [prior, left] = result.figures;
    expect(result.isProven).toBe(true);
    expect(prior).toMatchObject({ values: [75, 75], worst: null, controls: [], byV1: [75, 75] });
    expect(left).toMatchObject({ missedSeeds: [], controls: [{ name: 'plain mean', best: 0, passedSeeds: [] }] });
    expect(reportLinesV2('v2', [result]).at(-1)).toBe('Every gate holds, and every control misses it.');
  });

  test('is not if a gate is missed, or met by a control', () => {
    const missed = runAttackV2(attackWith(exactly(1)), policyV2, [1, 2]);
    expect([missed.isProven, missed.figures[1]?.missedSeeds]).toEqual([false, [1, 2]]);
    expect(reportLinesV2('v2', [missed]).at(-1)).toBe('example: left, one: the gate is missed for seeds 1, 2.');
    const met = runAttackV2(attackWith(atMost(75)), policyV2, [3]);
    expect([met.isProven, met.figures[1]?.controls[0]?.passedSeeds]).toEqual([false, [3]]);
    expect(figureRows(met)[1]?.at(-1)).toContain('MEETS IT, AND MUST NOT');
    expect(reportLinesV2('v2', [met]).at(-1)).toContain('the control (plain mean) meets the gate for seed 3.');
  });

  test('a known miss fails no run, and is shown', () => {
    const gate = { relation: '>=', limit: 99 } as const;
    const result = runAttackV2(attackWith(gate, undefined, missedFor([1], promise(gate, 'plain mean'))), policyV2, [1]);
    expect([result.isProven, result.figures[1]?.missedSeeds]).toEqual([true, [1]]);
    expect(figureRows(result)[1]?.[3]).toMatch(/ \(misses: seed 1\)$/);
    expect(reportLinesV2('v2', [result]).at(-1)).toContain('but for those that docs/simulation.md names');
    expect(reportJsonV2('v2', [result])).toMatchObject({
      proven: true,
      attacks: [{ figures: [{ known_misses: [] }, { missed_seeds: [1], known_misses: [1] }] }],
    });
  });

  test('a known miss excuses no other seed', () => {
    const gate = { relation: '>=', limit: 99 } as const;
    const attack = attackWith(gate, undefined, missedFor([1], promise(gate, 'plain mean')));
    const result = runAttackV2(attack, policyV2, [1, 2]);
    expect([result.isProven, result.figures[1]?.missedSeeds, result.figures[1]?.unknownMisses]).toEqual([
      false,
      [1, 2],
      [2],
    ]);
    expect(figureRows(result)[1]?.[3]).toMatch(/ FAIL$/);
    expect(reportLinesV2('v2', [result]).at(-1)).toBe('example: left, one: the gate is missed for seed 2.');
  });

  test('a figure that is not a number meets no gate and shows no control to miss one; a count that is not reached is null', () => {
    const unknown = runAttackV2(attackWith(atMost(75), Number.NaN), policyV2, [1]);
    expect(unknown.figures[1]).toMatchObject({ missedSeeds: [1], controls: [{ passedSeeds: [1] }] });
    const never = runAttackV2(attackWith(atMost(75), Number.POSITIVE_INFINITY), policyV2, [1]);
    expect(reportJsonV2('v2', [never])).toMatchObject({
      proven: false,
      attacks: [{ figures: [{}, { worst: null, values: [null] }] }],
    });
    expect(figureRows(never)[1]?.[3]).toBe('never FAIL');
  });

  test('its plot has each case by the policy and by its controls', () => {
    const plot = attackPlotV2(runAttackV2(attackWith(atMost(75)), policyV2, [9]), 'v2');
    for (const text of ['Example', 'seed 9', 'one, v2', 'one, plain mean']) expect(plot).toContain(text);
  });

  test('the rows have names of their own, and so have the figures of each', () => {
    expect(new Set(gateTableV2.map(({ name }) => name)).size).toBe(gateTableV2.length);
    for (const { name, cases } of gateTableV2) {
      expect({ name, cases: new Set(cases.map(({ label }) => label)).size }).toEqual({ name, cases: cases.length });
    }
  });
});
