/**
 * `pnpm log:verify`: whether a log is the one that its checkpoints were signed for, and where it is not.
 *
 * Exit codes: 0 verified; 1 not verified; 2 wrong arguments; 3 something could not be read or reached; 130 stopped by a signal.
 */
import { ArgumentsError } from '../arguments-error.ts';
import { readVerifyArguments, verifyUsage } from '../arguments.ts';
import { findInputs } from '../find-inputs.ts';
import { printable } from '../report/printable.ts';
import { reportLines } from '../report/report-lines.ts';
import { verifyLog } from '../verify/verify-log.ts';

const exitCode = { verified: 0, notVerified: 1, wrongArguments: 2, unreadable: 3, stopped: 130 } as const;
const progressEveryMs = 1_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${printable(line)}\n`);

/** Tells how far it is, on standard error, once a second; nothing of a log that is read faster. */
const progress = (): ((events: number, eventsPerSecond: number) => void) => {
  let toldAt = performance.now();
  return (events, eventsPerSecond) => {
    if (performance.now() - toldAt < progressEveryMs) return;
    toldAt = performance.now();
    complain(`${events.toLocaleString('en')} events read, ${eventsPerSecond.toLocaleString('en')} a second…`);
  };
};

const run = async (): Promise<number> => {
  const given = readVerifyArguments(process.argv.slice(2));
  if (given === null) {
    say(verifyUsage);
    return exitCode.verified;
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const { source, isKeyTheRegistrys, ...inputs } = await findInputs(given, process.env);
  try {
    const report = await verifyLog({ source, ...inputs, onProgress: progress(), signal: stopping.signal });
    if (isKeyTheRegistrys)
      report.remarks.push(
        'The key was taken from the registry that is verified; give one that you kept from before by --key.',
      );
    if (given.json) say(JSON.stringify(report, null, 2));
    else for (const line of reportLines(report)) say(line);
    return report.verified ? exitCode.verified : exitCode.notVerified;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    complain('Stopped.');
    return exitCode.stopped;
  } finally {
    await source.close();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  if (error instanceof ArgumentsError) complain('See pnpm log:verify --help.');
  process.exitCode = error instanceof ArgumentsError ? exitCode.wrongArguments : exitCode.unreadable;
}
