import type { ExitCode } from '../exit-codes.ts';
import type { Context } from './context.ts';
import type { OptionOf, OptionValues, ValueSource } from './option.ts';

export type Argument = { name: string; description: string; optional?: boolean; values?: ValueSource };

/** One example of a command's help: as it is typed, and what it does. A test runs each. */
export type Example = { says: string; run: string };

/** One command: what it takes, what its help says, and what it does. */
export type Command = {
  /** Its words, `['org', 'create']`. */
  path: readonly string[];
  summary: string;
  description?: string;
  arguments: readonly Argument[];
  options: Record<string, OptionOf<unknown>>;
  examples: readonly Example[];
  /** Resolves with the exit code; nothing is 0. */
  run: (given: {
    args: readonly string[];
    options: Record<string, unknown>;
    context: Context;
  }) => Promise<ExitCode | void>;
};

/** A command whose `run` gets the options that it declares, in their types. */
export function command<Options extends Record<string, OptionOf<unknown>>>(
  definition: Omit<Command, 'run' | 'options'> & {
    options: Options;
    run: (given: {
      args: readonly string[];
      options: OptionValues<Options>;
      context: Context;
    }) => Promise<ExitCode | void>;
  },
): Command {
  return definition as unknown as Command;
}
