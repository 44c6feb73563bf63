import { parsePolicyV1, policyV1 } from '@agent-trust/trust-policy';
import { describe, expect, test } from 'vitest';
import type { Attack, Gate } from './attacks/attack.ts';
import { allAttacks, gateTable } from './attacks/index.ts';
import { onOff } from './attacks/on-off.ts';
import { oscillation } from './attacks/oscillation.ts';
import { ring } from './attacks/ring.ts';
import { runAttack } from './run-attack.ts';
import { scoringByPolicy } from './scoring/scoring.ts';

/** An attack with one figure, the score of a new agent's prior: 75 by the policy, a given value by a control. */
const attackWith = (gate: Gate): Attack => ({
  ...oscillation,
  run: (newScoring) => {
    const scoring = newScoring();
    scoring.setPrior('a', 75);
    return { figures: [{ label: 'figure', value: scoring.score('a'), gate }], tracks: [] };
  },
});
const controlAt = (value: number) => () => ({ ...scoringByPolicy(policyV1), score: () => value });

describe('runAttack', () => {
  test('proves a policy that meets its gates if the control misses them', () => {
    const result = runAttack(attackWith({ relation: '<=', limit: 80 }), policyV1, [1, 2], controlAt(81));
    expect(result.isProven).toBe(true);
    expect(result.figures[0]).toMatchObject({ worst: 75, values: [75, 75], missedSeeds: [] });
    expect(result.figures[0]?.control).toEqual({ best: 81, values: [81, 81], passedSeeds: [] });
  });

  test('a control that meets a gate proves nothing', () => {
    const result = runAttack(attackWith({ relation: '<=', limit: 80 }), policyV1, [1, 2], controlAt(80));
    expect(result.isProven).toBe(false);
    expect(result.figures[0]?.control?.passedSeeds).toEqual([1, 2]);
    expect(runAttack(oscillation, policyV1, [1], scoringByPolicy).isProven).toBe(false);
    expect(runAttack(ring, policyV1, [1], scoringByPolicy).isProven).toBe(false);
  });

  test('a figure that is not a number meets no gate, and does not prove that a control misses one', () => {
    const result = runAttack(attackWith({ relation: '<=', limit: 80 }), policyV1, [1], controlAt(Number.NaN));
    expect(result.isProven).toBe(false);
  });

  test.each<[Gate, boolean]>([
    [{ relation: '<', limit: 75 }, false],
    [{ relation: '<', limit: 76 }, true],
    [{ relation: '<=', limit: 75 }, true],
    [{ relation: '<=', limit: 74 }, false],
    [{ relation: '>=', limit: 75 }, true],
    [{ relation: '>=', limit: 76 }, false],
    [{ relation: '=', limit: 75 }, true],
    [{ relation: '=', limit: 74 }, false],
  ])('75 and the gate %j: %s', (gate, holds) => {
    const result = runAttack(attackWith(gate), policyV1, [1], null);
    expect(result.isProven).toBe(holds);
    expect(result.figures[0]?.missedSeeds).toEqual(holds ? [] : [1]);
  });

  test('a weaker policy misses the gates', () => {
    const { constants } = policyV1;
    const slow = parsePolicyV1({ ...policyV1, name: 'slow', constants: { ...constants, fastFallPoints: 100 } });
    expect(runAttack(onOff, slow, [1]).figures.map(({ missedSeeds }) => missedSeeds)).toEqual([[1], [1]]);
    const uncapped = parsePolicyV1({ ...policyV1, name: 'uncapped', constants: { ...constants, rootShareMax: 0.5 } });
    expect(runAttack(ring, uncapped, [1]).isProven).toBe(false);
  });

  test('the same seed gives the same run, another seed another one', () => {
    const again = (seed: number): string => JSON.stringify(runAttack(oscillation, policyV1, [seed]).tracks);
    expect(again(7)).toBe(again(7));
    expect(again(7)).not.toBe(again(8));
  });

  test('the gate table has its eight rows, five of them with a control; further attacks have no gates', () => {
    expect(gateTable.map(({ name, control }) => [name, control])).toEqual([
      ['sybil-farm', null],
      ['seeded-sybils', 'roots switched off'],
      ['ring', 'cap switched off'],
      ['ring-meets-honest', null],
      ['bad-mouthing', 'plain mean'],
      ['on-off', 'plain mean'],
      ['oscillation', 'plain mean'],
      ['honest-population', null],
    ]);
    expect(new Set(allAttacks.map(({ name }) => name)).size).toBe(allAttacks.length);
    for (const attack of allAttacks.filter(({ beyondTheTable }) => beyondTheTable)) {
      const { figures } = runAttack(attack, policyV1, [1]);
      expect(figures.map(({ gate }) => gate)).toEqual(figures.map(() => null));
    }
  });
});
