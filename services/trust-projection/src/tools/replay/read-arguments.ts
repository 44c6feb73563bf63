export type ReplayArguments =
  | { kind: 'replay'; acceptDifferences: boolean }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

export const replayUsage = `Usage: pnpm replay [--accept-differences]

Rebuilds the read models from event 0 beside the live ones, compares every row, and switches when all are equal.
  --accept-differences   switch even when rows differ: the code of the projections was changed on purpose`;

export function readReplayArguments(given: readonly string[]): ReplayArguments {
  let acceptDifferences = false;
  for (const argument of given) {
    if (argument === '--help' || argument === '-h') return { kind: 'help' };
    if (argument === '--accept-differences') acceptDifferences = true;
    // pnpm passes its own separator on.
    else if (argument !== '--') return { kind: 'wrong', problem: `Unknown argument ${argument}` };
  }
  return { kind: 'replay', acceptDifferences };
}
