/**
 * `pnpm sim`: attacks the trust policy in a seeded simulation, beside a control that lacks what is meant to stop the attack, and holds
 * the figures against the gate table of docs/simulation.md.
 *
 * Exit codes: 0 every gate holds and every control misses it; 1 one does not, or a plot could not be written; 2 wrong arguments.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { policyV1 } from '@agent-trust/trust-policy';
import { type AttackResult, allAttacks, attackPlot, runAttack } from '@agent-trust/simulation';
import { readSimulationArguments, type SimulationArguments, simulationUsage } from './read-arguments.ts';
import { reportJson } from './report-json.ts';
import { reportLines } from './report-lines.ts';

const exitCode = { proven: 0, notProven: 1, wrongArguments: 2 } as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** One at a time: Node's recursive mkdir tries for ever where a folder can hold nothing, below /proc for one. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  mkdirSync(path);
};

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

const simulate = ({ seeds, attacks, outFolder, json }: Extract<SimulationArguments, { kind: 'simulate' }>): number => {
  const results = attacks.map((attack) => {
    if (process.stderr.isTTY) complain(`${attack.name} …`);
    return runAttack(attack, policyV1, seeds);
  });
  if (json) say(JSON.stringify(reportJson(policyV1, results), null, 2));
  else for (const line of reportLines(policyV1.name, results)) say(line);
  const isWritten = outFolder === null || writePlots(outFolder, results);
  return isWritten && results.every(({ isProven }) => isProven) ? exitCode.proven : exitCode.notProven;
};

// A reader that has seen enough (`| head`) closes the pipe: no fault of ours and nothing left to do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

const wanted = readSimulationArguments(process.argv.slice(2), allAttacks);
switch (wanted.kind) {
  case 'help':
    say(simulationUsage(allAttacks));
    break;
  case 'wrong':
    complain(`${wanted.problem}\n\n${simulationUsage(allAttacks)}`);
    process.exitCode = exitCode.wrongArguments;
    break;
  case 'simulate':
    process.exitCode = simulate(wanted);
    break;
  default:
    wanted satisfies never;
}
