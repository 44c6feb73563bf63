/** `npm run sim`: attacks the trust policy and a control in a seeded simulation, and compares the figures with docs/simulation.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { complain, makeFolder, runCommand, say } from '@agent-trust/command-line';
import { allAttacks, type AttackResult, attackPlot, runAttack } from '@agent-trust/simulation';
import { policyV1 } from '@agent-trust/trust-policy';
import { attacksAndSeeds, simulationOptions, simulationUsage } from './read-arguments.ts';
import { reportJson, reportLines } from './report.ts';

const writePlots = (folder: string, results: readonly AttackResult[]): boolean => {
  try {
    makeFolder(folder);
    for (const result of results) {
      writeFileSync(join(folder, `${result.attack.name}.svg`), attackPlot(result, policyV1.name));
    }
    return true;
  } catch (error) {
    complain(`The plots could not be written: ${(error as Error).message}`);
    return false;
  }
};

await runCommand({
  usage: simulationUsage(allAttacks),
  options: simulationOptions,
  run: ({ out, json = false, ...given }) => {
    const { attacks, seeds } = attacksAndSeeds(given, allAttacks);
    const results = attacks.map((attack) => {
      if (process.stderr.isTTY) complain(`${attack.name} …`);
      return runAttack(attack, policyV1, seeds);
    });
    if (json) say(JSON.stringify(reportJson(policyV1, results), null, 2));
    else for (const line of reportLines(policyV1.name, results)) say(line);
    const isWritten = out === undefined || writePlots(out, results);
    return isWritten && results.every(({ isProven }) => isProven) ? 0 : 1;
  },
});
