import type { ExitCode } from '../exit-codes.ts';
import type { Context } from './context.ts';
import type { OptionOf, OptionValues, ValueSource } from './option.ts';

export type Argument = { name: string; description: string; optional?: boolean; values?: ValueSource };

/** One example in a command's help: the command line and its purpose. A test runs each. */
export type Example = { says: string; run: string };

/** One command: its arguments and options, its help, and its action. */
export type Command = {
  /** Its words, for example `['org', 'create']`. */
  path: readonly string[];
  summary: string;
  description?: string;
  arguments: readonly Argument[];
  options: Record<string, OptionOf<unknown>>;
  examples: readonly Example[];
  /** Resolves with the exit code; undefined means 0. */
  run: (given: {
    args: readonly string[];
    options: Record<string, unknown>;
    context: Context;
  }) => Promise<ExitCode | void>;
};

/** A command whose `run` gets the typed values of its declared options. */
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
