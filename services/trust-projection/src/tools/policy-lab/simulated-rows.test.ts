/* Bugs: the lab shows figures of another formula, drops a control, or counts a known miss as a gate that is missed; tracks have no names. */
import { allAttacks, gateTableV2 } from '@agent-trust/simulation';
import { policyV1, policyV2 } from '@agent-trust/trust-policy';
import { describe, expect, it } from 'vitest';
import { rowCountOf, rowsToSimulate, type SimulatedRow } from './simulated-rows.ts';

const runRow = (row: ReturnType<typeof rowsToSimulate>[number] | undefined): SimulatedRow => {
  const steps = row?.steps();
  for (;;) {
    const { done, value } = steps?.next() ?? { done: true, value: undefined };
    if (done === true && value !== undefined) return value;
    if (done === true) throw new Error('there is no such row');
  }
};

describe('the attacks of the lab', () => {
  it('are those of the formula', () => {
    const namesOf = (policy: typeof policyV1 | typeof policyV2) => rowsToSimulate(policy, [1]).map(({ name }) => name);
    expect(namesOf(policyV1)).toEqual(allAttacks.map(({ name }) => name));
    expect(namesOf(policyV2)).toEqual(gateTableV2.map(({ name }) => name));
    expect([rowCountOf('v1'), rowCountOf('v2')]).toEqual([allAttacks.length, gateTableV2.length]);
    // An attack is stored by its name.
    expect(new Set(namesOf(policyV2)).size).toBe(gateTableV2.length);
  });

  it('on a policy of formula v2 have their controls by name, and named tracks', () => {
    const { shown, detail } = runRow(rowsToSimulate(policyV2, [1, 2]).find(({ name }) => name === 'ring'));
    const figures = new Set(shown.figures.map(({ figure }) => figure));
    expect(figures.size).toBe(shown.figures.length);
    const gated = shown.figures.filter(({ gate }) => gate !== null);
    expect(gated.length).toBeGreaterThan(0);
    for (const { values, controls, control } of shown.figures) {
      expect(values).toHaveLength(2);
      expect(control?.best).toBe(controls[0]?.best);
    }
    expect(gated.some(({ controls }) => controls.length > 0)).toBe(true);
    expect(shown.proven).toBe(true);
    const labels = detail.tracks.map(({ label, by }) => `${by} ${label}`);
    expect(new Set(labels).size).toBe(labels.length);
    expect(detail.tracks.every(({ label }) => label !== '')).toBe(true);
  });
});
