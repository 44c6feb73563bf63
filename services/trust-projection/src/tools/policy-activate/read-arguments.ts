export type ActivateArguments =
  | { kind: 'activate'; policy: string }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

export const activateUsage = `Usage: pnpm policy:activate --policy <file or name>

Puts a trust policy in force: builds the read models for it from event 0 beside the live ones, then appends the activation to the log and
switches, in one step. What was answered before stays as it was.
  --policy <file or name>   a policy in a JSON file, or the name of one that comes with the registry or was in force once

Exit codes: 0 in force; 1 failed; 2 wrong arguments or a policy that is refused; 3 rows differ, nothing was changed; 4 a replay is under way; 130
stopped.`;

export function readActivateArguments(given: readonly string[]): ActivateArguments {
  const wrong = (problem: string): ActivateArguments => ({ kind: 'wrong', problem });
  let policy: string | undefined;
  for (let index = 0; index < given.length; index += 1) {
    const argument = given[index] ?? '';
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    // pnpm passes its own separator on.
    if (argument === '--') continue;
    // Which of two would be put in force is not for an order of words to say.
    if (policy !== undefined && /^--policy(?:=|$)/.test(argument)) return wrong('--policy may be given only once');
    if (argument.startsWith('--policy=')) policy = argument.slice('--policy='.length);
    else if (argument === '--policy') {
      index += 1;
      policy = given[index];
    } else return wrong(`Unknown argument ${argument}`);
    if (policy === undefined || policy === '') return wrong('--policy needs a value');
  }
  return policy === undefined ? wrong('--policy is missing') : { kind: 'activate', policy };
}
