import { Command as Parser, InvalidArgumentError, Option } from 'commander';
import { commandTable } from '../command-table.ts';
import { safeLine } from '../output/safe-text.ts';
import { UsageError } from '../errors.ts';
import type { Argument, Command } from './command.ts';
import { globalOptions } from './global-options.ts';
import { commandHelp, gettingStarted, topLevelHelp } from './help-text.ts';
import type { OptionOf } from './option.ts';

export type RunCommand = (
  command: Command,
  args: string[],
  options: Record<string, unknown>,
  global: Record<string, unknown>,
) => Promise<void>;

/** Commander's form of an option. Its text is parsed here, so that faults are reported like the parser's own. */
const optionFor = ({ flags, description, parse, repeats }: OptionOf<unknown>): Option => {
  const option = new Option(flags, description);
  if (parse === undefined) return option;
  const convert = (text: string): unknown => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof UsageError) throw new InvalidArgumentError(`It ${error.message}.`);
      throw error;
    }
  };
  option.argParser((text: string, before: unknown) =>
    repeats === true ? [...(Array.isArray(before) ? (before as unknown[]) : []), convert(text)] : convert(text),
  );
  return option;
};

/** Adds options and returns the parser's names for ours. */
const addOptions = (parser: Parser, options: Record<string, OptionOf<unknown>>): [ours: string, parsers: string][] =>
  Object.entries(options).map(([name, definition]) => {
    const option = optionFor(definition);
    parser.addOption(option);
    return [name, option.attributeName()];
  });

const named = (values: Record<string, unknown>, attributes: readonly [string, string][]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(([ours, parsers]) => [ours, values[parsers]]));

const argumentText = ({ name, optional, repeats }: Argument): string => {
  const text = repeats === true ? `${name}...` : name;
  return optional === true ? `[${text}]` : `<${text}>`;
};

const configure = (parser: Parser, command: Command, globalAttributes: [string, string][], run: RunCommand): void => {
  const summary = command.summary ?? parser.summary();
  parser.description(command.description === undefined ? summary : `${summary}\n\n${command.description}`);
  for (const argument of command.arguments) parser.argument(argumentText(argument), argument.description);
  const attributes = addOptions(parser, command.options);
  parser.addHelpText('after', commandHelp(command));
  parser.action(async () => {
    const args = parser.processedArgs.flat().map((value: unknown) => (typeof value === 'string' ? value : ''));
    await run(command, args, named(parser.opts(), attributes), named(parser.optsWithGlobals(), globalAttributes));
  });
};

/** The words of a parser, for example `agent-trust org create`. */
const wordsOf = (parser: Parser): string =>
  parser.parent === null ? parser.name() : `${wordsOf(parser.parent)} ${parser.name()}`;

/** A fault of the command line, which may quote text of others. */
const faultText = (text: string, words: string): string => {
  const lines = text
    .trim()
    .replace(/^error: /u, '')
    .split('\n')
    .map(safeLine);
  return `agent-trust: ${lines.join('\n')}\nTry "${words} --help".\n`;
};

const groupSummaries: Record<string, string> = { 'org sandbox-key': 'Issue or revoke the sandbox key.' };

/** The whole command line; a command's file is loaded when its name is met. Throws a CommanderError after help and for a faulty command line. */
export function buildProgram(
  run: RunCommand,
  output: { out: (text: string) => void; err: (text: string) => void; coloured: boolean },
  version: string,
): Parser {
  const style = (parser: Parser): Parser =>
    parser
      .exitOverride()
      .configureOutput({
        writeOut: output.out,
        writeErr: output.err,
        getOutHasColors: () => output.coloured,
        getErrHasColors: () => output.coloured,
        outputError: (text, write) => write(faultText(text, wordsOf(parser))),
      })
      .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
      .showSuggestionAfterError(true)
      .allowExcessArguments(false)
      .helpCommand(false)
      .helpOption('-h, --help', 'show help');
  const program = style(new Parser('agent-trust'));
  // The commands and the getting-started section come first; the help's own text adds the options after them.
  program.configureHelp({ visibleOptions: () => [] });
  program
    .description('The Agent Trust Registry: who an agent is, how far to trust it, calls and reviews.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'show the version');
  const globalAttributes = addOptions(program, globalOptions);
  program.addHelpText('after', `${gettingStarted}\n${topLevelHelp}`);
  const loaders = new Map<Parser, () => Promise<void>>();
  for (const entry of commandTable) {
    const parser = style(program.command(entry.name)).summary(entry.summary).description(entry.summary);
    loaders.set(parser, async () => {
      for (const command of await entry.load()) {
        const words = command.path.slice(1);
        let at = parser;
        for (const [depth, word] of words.entries()) {
          const isLast = depth === words.length - 1;
          const group = command.path.slice(0, depth + 2).join(' ');
          const summary = (isLast ? command.summary : groupSummaries[group]) ?? '';
          at =
            at.commands.find((known) => known.name() === word) ??
            style(at.command(word)).summary(summary).description(summary);
        }
        configure(at, command, globalAttributes, run);
      }
    });
  }
  program.hook('preSubcommand', async (_parent, sub) => {
    await loaders.get(sub)?.();
    loaders.delete(sub);
  });
  return program;
}
