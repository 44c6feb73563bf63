import type { Attack } from '@agent-trust/simulation';

/** Most seeds of one run: each takes about a second. */
const seedsMax = 1000;
const seedDefault = 1;
const seedLargest = 2 ** 32 - 1;

export type SimulationArguments =
  | { kind: 'simulate'; seeds: number[]; attacks: readonly Attack[]; outFolder: string | null; json: boolean }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

export function simulationUsage(attacks: readonly Attack[]): string {
  return `Usage: pnpm sim [--seed <number or range>] [--attack <name>] [--out <folder>] [--json]

Attacks the trust policy v1 in a simulation and holds what comes of it against the gate table of docs/simulation.md. The same seed
gives the same figures on every machine.
  --seed <number or range>   such as 7 or 1-20; default ${seedDefault}
  --attack <name>            one attack only: ${attacks.map(({ name }) => name).join(', ')}
  --out <folder>             write a plot of each attack there, <name>.svg
  --json                     one JSON document on standard output, for programs

Exit codes: 0 every gate holds and every control misses it; 1 one does not; 2 wrong arguments.`;
}

export function readSimulationArguments(given: readonly string[], attacks: readonly Attack[]): SimulationArguments {
  const wrong = (problem: string): SimulationArguments => ({ kind: 'wrong', problem });
  const found: Extract<SimulationArguments, { kind: 'simulate' }> = {
    kind: 'simulate',
    seeds: [seedDefault],
    attacks,
    outFolder: null,
    json: false,
  };
  const seen = new Set<string>();
  const rest = given.flatMap((argument) => (/^--\w+=/.test(argument) ? splitOnce(argument) : [argument]));
  for (let index = 0; index < rest.length; index += 1) {
    const argument = rest[index] ?? '';
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    // pnpm passes its own separator on.
    if (argument === '--') continue;
    if (argument === '--json') {
      found.json = true;
      continue;
    }
    if (argument !== '--seed' && argument !== '--attack' && argument !== '--out') {
      return wrong(`unknown argument ${JSON.stringify(argument)}`);
    }
    index += 1;
    const value = rest[index];
    if (value === undefined || value === '' || value.startsWith('--')) return wrong(`${argument} needs a value`);
    if (seen.has(argument)) return wrong(`${argument} may be given only once`);
    seen.add(argument);
    if (argument === '--out') found.outFolder = value;
    else if (argument === '--attack') {
      found.attacks = attacks.filter(({ name }) => name === value);
      if (found.attacks.length === 0) {
        return wrong(
          `there is no attack ${JSON.stringify(value)}; there are ${attacks.map(({ name }) => name).join(', ')}`,
        );
      }
    } else {
      const seeds = seedsOf(value);
      if (seeds === null) {
        return wrong(
          `--seed must be a whole number from 0 to ${seedLargest}, or a range of at most ${seedsMax}, such as 1-20`,
        );
      }
      found.seeds = seeds;
    }
  }
  return found;
}

const seedsOf = (text: string): number[] | null => {
  const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text);
  if (match === null) return null;
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  if (first > last || last > seedLargest || last - first >= seedsMax) return null;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
};

const splitOnce = (argument: string): string[] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
};
