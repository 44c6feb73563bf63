// Bug: a change of policy v2 or of the simulation lets an attack through; or a gate holds under any policy. Method: every row of the gate table of v2,
// for 3 seeds, 20 in the long form, with the policy and with its control.
import { runs } from '@agent-trust/test-kit/runs';
import { expect, test } from 'vitest';
import { runWith } from './run-attack.ts';
import { gateTableV2 } from './v2/gate-table-v2.ts';
import { controlsV2, scoringByPolicyV2 } from './v2/scoring-v2.ts';

const seeds = Array.from({ length: runs(3, 20) }, (_, index) => index + 1);

test.each(gateTableV2)(
  '$name: the gates hold for every seed, and the control misses them',
  (attack) => {
    const control = attack.control === null ? null : controlsV2[attack.control];
    const { figures } = runWith(attack, seeds, () => scoringByPolicyV2(), control);
    expect(figures.length).toBeGreaterThan(0);
    for (const { label, values, missedSeeds, control: byControl } of figures) {
      expect.soft({ label, unknown: values.filter(Number.isNaN) }).toEqual({ label, unknown: [] });
      expect.soft({ label, missedSeeds }).toEqual({ label, missedSeeds: [] });
      expect.soft({ label, passedSeeds: byControl?.passedSeeds ?? [] }).toEqual({ label, passedSeeds: [] });
    }
  },
  300_000,
);
