/** `npm run sim:v2`: plays the gate table of trust policy v2 in a seeded simulation, v1 beside it, and compares the figures with docs/simulation.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { complain, makeFolder, runCommand, say } from '@agent-trust/command-line';
import { policyV2 } from '@agent-trust/trust-policy';
import { attackPlotV2 } from '../v2/attack-plot-v2.ts';
import { gateTableV2 } from '../v2/gate-table-v2.ts';
import { reportJsonV2, reportLinesV2 } from '../v2/report-v2.ts';
import { runAttackV2 } from '../v2/run-attack-v2.ts';
import { chosenByName, namesOf, readSeeds } from './read-arguments.ts';

const usage = `Usage: npm run sim:v2 -- [--seed <number or range>] [--attack <name>] [--out <folder>] [--json]

Attacks trust policy v2 in a simulation, v1 beside it, and compares the figures with the gate table of docs/simulation.md. The same seed
gives the same figures on every machine.
  --seed <number or range>   such as 7 or 1-20; default 1
  --attack <name>            one attack only: ${namesOf(gateTableV2)}
  --out <folder>             write a plot of each attack there, <name>.svg
  --json                     one JSON document on standard output, for programs

Exit codes: 0 every gate holds, but for the known misses that docs/simulation.md names, and every control misses it; 1 one does not; 2 wrong
arguments.`;

await runCommand({
  usage,
  options: {
    seed: { type: 'string', default: '1' },
    attack: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  run: ({ seed, attack: name, out, json }) => {
    const attacks = chosenByName('attack', gateTableV2, name);
    const seeds = readSeeds(seed);
    const results = attacks.map((attack) => {
      if (process.stderr.isTTY) complain(`${attack.name} …`);
      return runAttackV2(attack, policyV2, seeds, { isBesideV1: true });
    });
    if (json) say(JSON.stringify(reportJsonV2(policyV2.name, results), null, 2));
    else for (const line of reportLinesV2(policyV2.name, results)) say(line);
    if (out !== undefined) {
      makeFolder(out);
      for (const result of results) {
        writeFileSync(join(out, `${result.attack.name}.svg`), attackPlotV2(result, policyV2.name));
      }
    }
    return results.every(({ isProven }) => isProven) ? 0 : 1;
  },
});
