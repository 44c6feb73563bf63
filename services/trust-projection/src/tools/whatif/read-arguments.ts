/** Most agents that are explained: their scores are computed once more for each changed constant. */
const topMax = 1_000;
const topDefault = 20;

export type WhatIfArguments =
  | { kind: 'whatif'; policy: string; top: number; json: boolean }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

export const whatIfUsage = `Usage: pnpm whatif --policy <file or name> [--top <number>] [--json]

Replays the log, in memory, under another trust policy and prints whose score would change, across which threshold, and why.
Nothing that is live is changed.
  --policy <file or name>   a policy in a JSON file, or the name of one that comes with the registry or was in force once
  --top <number>            agents to show, those that cross a threshold first; 0 to ${topMax}, default ${topDefault}
  --json                    one JSON document on standard output, for programs

Exit codes: 0 answered; 1 failed; 2 wrong arguments or a policy that cannot be used; 130 stopped.`;

export function readWhatIfArguments(given: readonly string[]): WhatIfArguments {
  const wrong = (problem: string): WhatIfArguments => ({ kind: 'wrong', problem });
  let policy: string | undefined;
  let top = topDefault;
  let json = false;
  const seen = new Set<string>();
  const rest = given.flatMap((argument) => (/^--\w+=/.test(argument) ? splitOnce(argument) : [argument]));
  for (let index = 0; index < rest.length; index += 1) {
    const argument = rest[index] ?? '';
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    // pnpm passes its own separator on.
    if (argument === '--') continue;
    if (argument === '--json') json = true;
    else if (argument === '--policy' || argument === '--top') {
      index += 1;
      const value = rest[index];
      if (value === undefined || value === '') return wrong(`${argument} needs a value`);
      if (seen.has(argument)) return wrong(`${argument} may be given only once`);
      seen.add(argument);
      if (argument === '--policy') policy = value;
      else if (/^\d{1,4}$/.test(value) && Number(value) <= topMax) top = Number(value);
      else return wrong(`--top must be a whole number from 0 to ${topMax}`);
    } else return wrong(`Unknown argument ${argument}`);
  }
  return policy === undefined ? wrong('--policy is missing') : { kind: 'whatif', policy, top, json };
}

const splitOnce = (argument: string): string[] => {
  const at = argument.indexOf('=');
  return [argument.slice(0, at), argument.slice(at + 1)];
};
