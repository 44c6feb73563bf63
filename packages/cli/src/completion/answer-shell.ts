import type { Io } from '../io.ts';
import { configPath, readConfig } from '../settings/config-file.ts';
import { complete, type Saved } from './complete.ts';

const savedIn = (io: Pick<Io, 'env'>): Saved => {
  try {
    const { profiles } = readConfig(configPath(io.env));
    return {
      profiles: Object.keys(profiles),
      agents: [...new Set(Object.values(profiles).flatMap(({ agents }) => Object.keys(agents ?? {})))],
    };
  } catch {
    // A shell cannot show an error about a file during completion.
    return { profiles: [], agents: [] };
  }
};

/** Answers a shell: `__complete -- <words>`; the last word is incomplete. */
export async function answerShell(args: readonly string[], io: Pick<Io, 'env' | 'stdout'>): Promise<void> {
  const { words, files } = await complete(args[0] === '--' ? args.slice(1) : args, savedIn(io));
  for (const word of files ? [':files'] : words) io.stdout.write(`${word}\n`);
}
