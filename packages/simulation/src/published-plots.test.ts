import { readFileSync } from 'node:fs';
import { policyV1 } from '@agent-trust/trust-policy';
import { expect, test } from 'vitest';
import { allAttacks } from './attacks/index.ts';
import { attackPlot } from './attack-plot.ts';
import { runAttack } from './run-attack.ts';

// A difference is a decision: check the new plots, then write them by `npm run -s sim -- --seed 1 --out docs/simulation`.
test.each(allAttacks.map((attack) => [attack.name, attack] as const))(
  'docs/simulation/%s.svg is the plot of seed 1',
  (_name, attack) => {
    const published = readFileSync(new URL(`../../../docs/simulation/${attack.name}.svg`, import.meta.url), 'utf8');
    expect(attackPlot(runAttack(attack, policyV1, [1]), policyV1.name)).toBe(published);
  },
);
