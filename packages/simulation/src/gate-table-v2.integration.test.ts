// Bug: a change of policy v2 or of the simulation lets an attack through; or a gate holds under any policy. Method: every row of the gate table of v2,
// for 3 seeds, 20 in the long form, with the policy and with each of its controls. The long form also compares the figures with docs/simulation.md.
import { readFileSync } from 'node:fs';
import { runs } from '@agent-trust/test-kit/runs';
import { policyV2 } from '@agent-trust/trust-policy';
import { expect, test } from 'vitest';
import { attackPlotV2 } from './v2/attack-plot-v2.ts';
import { gateTableV2 } from './v2/gate-table-v2.ts';
import { figureRows } from './v2/report-v2.ts';
import { runAttackV2 } from './v2/run-attack-v2.ts';

const seeds = Array.from({ length: runs(3, 20) }, (_, index) => index + 1);
const isLong = seeds.length === 20;
const minutesMax = runs(5, 30);
const documented = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
const cellsOf = (line: string): string => line.replace(/ *\| */g, '|');
const documentedRows = new Set(documented('simulation.md').split('\n').map(cellsOf));

test.each(gateTableV2)(
  '$name: the gates hold for every seed, and each control misses them',
  (attack) => {
    const result = runAttackV2(attack, policyV2, seeds, { isBesideV1: isLong });
    const { figures } = result;
    expect(figures.length).toBeGreaterThan(0);
    for (const { case: label, label: figure, values, missedSeeds, knownMisses, controls } of figures) {
      const of = `${label}: ${figure}`;
      expect.soft({ of, unknown: values.filter(Number.isNaN) }).toEqual({ of, unknown: [] });
      const known = knownMisses.filter((seed) => seeds.includes(seed));
      expect.soft({ of, missedSeeds }).toEqual({ of, missedSeeds: known });
      const passed = controls.filter(({ passedSeeds }) => passedSeeds.length > 0).map(({ name }) => name);
      expect.soft({ of, passed }).toEqual({ of, passed: [] });
    }
    // A difference is a decision: check the new plots and figures, then write them by `npm run -s sim:v2 -- --seed 1 --out docs/simulation/v2`, and
    // with `--seed 1-20` copy the table.
    expect.soft(attackPlotV2(result, policyV2.name)).toBe(documented(`simulation/v2/${attack.name}.svg`));
    if (!isLong) return;
    const rows = figureRows(result).map((cells) => cellsOf(`| ${cells.join(' | ')} |`));
    expect.soft(rows.filter((row) => !documentedRows.has(row))).toEqual([]);
  },
  minutesMax * 60_000,
);
