import type { OptionValues } from '@agent-trust/command-line';
import { type Attack, chosenByName, namesOf, readSeeds } from '@agent-trust/simulation';

const seedDefault = '1';

export const simulationOptions = {
  seed: { type: 'string' },
  attack: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export function simulationUsage(attacks: readonly Attack[]): string {
  return `Usage: npm run sim -- [--seed <number or range>] [--attack <name>] [--out <folder>] [--json]

Attacks the trust policy v1 in a simulation and compares the figures with the gate table of docs/simulation.md. The same seed gives the same
figures on every machine.
  --seed <number or range>   such as 7 or 1-20; default ${seedDefault}
  --attack <name>            one attack only: ${namesOf(attacks)}
  --out <folder>             write a plot of each attack there, <name>.svg
  --json                     one JSON document on standard output, for programs

Exit codes: 0 every gate holds and every control misses it; 1 one does not; 2 wrong arguments.`;
}

/** @throws ArgumentsError */
export function attacksAndSeeds(
  given: Pick<OptionValues<typeof simulationOptions>, 'attack' | 'seed'>,
  all: readonly Attack[],
): { attacks: readonly Attack[]; seeds: number[] } {
  return { attacks: chosenByName('attack', all, given.attack), seeds: readSeeds(given.seed ?? seedDefault) };
}
