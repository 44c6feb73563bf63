import { CommanderError } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Io } from './io.ts';
import { type LastAnswer, openRegistry } from './open-registry.ts';
import { createOutput, painter, wantsColour } from './output/output.ts';
import { safeJson, safeLine } from './output/safe-text.ts';
import { buildProgram, type RunCommand } from './program/build-program.ts';
import type { Context } from './program/command.ts';
import type { GlobalOptions } from './program/global-options.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** `help org create` is `org create --help`. */
const helpAsOption = (args: readonly string[]): string[] =>
  args[0] === 'help' ? [...args.slice(1), '--help'] : [...args];

const reportFailure = (io: Io, failure: Failure, json: boolean): ExitCode => {
  if (json) io.stderr.write(`${safeJson(JSON.stringify(failure.json))}\n`);
  else {
    const [first = '', ...more] = failure.lines;
    const paint = painter(wantsColour(io.stderr, io.env));
    io.stderr.write(`${paint('red', 'agent-trust:')} ${safeLine(first)}\n`);
    for (const line of more) io.stderr.write(`${line.split('\n').map(safeLine).join('\n')}\n`);
  }
  return failure.exitCode;
};

/** Runs one command line and returns the exit code. It never throws and never ends the process. */
export async function run(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  if (args[0] === '__complete') {
    const { answerShell } = await import('./completion/complete.ts');
    await answerShell(args.slice(1), io);
    return exitCodes.ok;
  }
  let exitCode: ExitCode = exitCodes.ok;
  const runCommand: RunCommand = async (command, given, options, all) => {
    const global = all as GlobalOptions;
    const out = createOutput(io, global.json === true);
    const last: LastAnswer = { text: undefined };
    let read: Settings | undefined;
    const settings = (): Settings => (read ??= readSettings(global, io));
    const context: Context = {
      io,
      out,
      global,
      settings,
      registry: (order, agentId) => openRegistry(io, settings(), global, order, last, out.warn, agentId),
      answer: (value, show) => {
        if (out.json) out.document(last.text ?? JSON.stringify(value));
        else show(value);
      },
    };
    try {
      exitCode = (await command.run({ args: given, options, context })) ?? exitCodes.ok;
    } catch (error) {
      const where = {
        isAnswered: last.text !== undefined,
        isInSandbox: global.sandbox === true || command.path[0] === 'sandbox',
      };
      exitCode = io.stopSignal().aborted
        ? exitCodes.interrupted
        : reportFailure(io, failureOf(error, read?.url, where), out.json);
    }
  };
  const output = {
    out: (text: string) => void io.stdout.write(text),
    err: (text: string) => void io.stderr.write(text),
    coloured: wantsColour(io.stdout, io.env),
  };
  const program = buildProgram(runCommand, output, version);
  try {
    await program.parseAsync(helpAsOption(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return reportFailure(io, failureOf(error, undefined), false);
  }
}
