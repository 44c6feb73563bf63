// Bug: a change of the policy, of the registry's rules or of the simulation lets an attack through; or a gate holds under any policy. Method:
// every row of the gate table, for 3 seeds, 20 in the long form, with the policy and with its control.
import { runs } from '@agent-trust/test-kit/runs';
import { policyV1 } from '@agent-trust/trust-policy';
import { expect, test } from 'vitest';
import { gateTable } from './attacks/index.ts';
import { runAttack } from './run-attack.ts';

const seeds = Array.from({ length: runs(3, 20) }, (_, index) => index + 1);

test.each(gateTable)(
  '$name: the gates hold for every seed, and the control misses them',
  (attack) => {
    const { figures, isProven } = runAttack(attack, policyV1, seeds);
    for (const { label, missedSeeds, control } of figures) {
      expect.soft({ label, missedSeeds }).toEqual({ label, missedSeeds: [] });
      expect.soft({ label, passedSeeds: control?.passedSeeds ?? [] }).toEqual({ label, passedSeeds: [] });
      expect.soft(control === null).toBe(attack.control === null);
    }
    expect(isProven).toBe(true);
  },
  120_000,
);
