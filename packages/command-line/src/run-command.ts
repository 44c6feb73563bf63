import { printable } from './printable.ts';
import { ArgumentsError, type Options, type OptionValues, readOptions } from './read-options.ts';

export type Command<Given extends Options> = {
  usage: string;
  /** Besides `--help`. */
  options: Given;
  /** @returns the exit code */
  run: (values: OptionValues<Given>, signal: AbortSignal) => Promise<number> | number;
  /** What the command says when a signal stopped it. Without it a signal ends the process at once. */
  stopped?: string;
  /** What the command says before the message of an error. */
  failed?: string;
  /** Exit code of an error, 1 by default. */
  exitCodeOf?: (error: unknown) => number;
};

const wrongArgumentsCode = 2;
const stoppedCode = 130;

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes to standard error. Lines after the first are indented, so that no message can pass for another. */
export function complain(text: string): void {
  process.stderr.write(`${text.split('\n').map(printable).join('\n  ')}\n`);
}

/**
 * Runs a command to its exit code: 2 for wrong arguments, 130 when SIGINT or SIGTERM stopped it. The signals abort `signal`, and `run` ends
 * by itself.
 */
export async function runCommand<const Given extends Options>(command: Command<Given>): Promise<void> {
  // A reader that has seen enough (`| head`) closes the pipe: no fault, and nothing is left to do.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
  const stopping = new AbortController();
  const signals = command.stopped === undefined ? [] : (['SIGINT', 'SIGTERM'] as const);
  for (const name of signals) process.once(name, () => stopping.abort());
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    const values: { help?: unknown } = readOptions(process.argv.slice(2), options);
    if (values.help === true) say(command.usage);
    else process.exitCode = await command.run(values as OptionValues<Given>, stopping.signal);
  } catch (error) {
    process.exitCode = exitCodeOf(command, error, stopping.signal);
  }
}

const exitCodeOf = (
  {
    usage,
    stopped,
    failed,
    exitCodeOf: ownCodeOf,
  }: Pick<Command<Options>, 'usage' | 'stopped' | 'failed' | 'exitCodeOf'>,
  error: unknown,
  signal: AbortSignal,
): number => {
  if (signal.aborted) {
    complain(stopped ?? '');
    return stoppedCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArgumentsError) {
    complain(`${message}\n${usage.split('\n')[0] ?? ''} (--help explains it)`);
    return wrongArgumentsCode;
  }
  if (failed !== undefined) complain(failed);
  complain(message);
  return ownCodeOf?.(error) ?? 1;
};
