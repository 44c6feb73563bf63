import { ArgumentsError, type OptionValues } from '@agent-trust/command-line';
import type { Attack } from '@agent-trust/simulation';

/** Most seeds of one run: each takes about a second. */
const seedsMax = 1000;
const seedDefault = '1';
const seedLargest = 2 ** 32 - 1;

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
  const attacks = given.attack === undefined ? all : all.filter(({ name }) => name === given.attack);
  if (attacks.length === 0) {
    throw new ArgumentsError(`there is no attack ${JSON.stringify(given.attack)}; there are ${namesOf(all)}`);
  }
  const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(given.seed ?? seedDefault) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count >= 1 && count <= seedsMax && Number(last) <= seedLargest)) {
    throw new ArgumentsError(
      `--seed must be a whole number from 0 to ${seedLargest}, or a range of at most ${seedsMax}, such as 1-20`,
    );
  }
  return { attacks, seeds: Array.from({ length: count }, (_, index) => Number(first) + index) };
}

const namesOf = (attacks: readonly Attack[]): string => attacks.map(({ name }) => name).join(', ');
