/**
 * `pnpm whatif`: replays the log in memory under another trust policy and prints whose score would change, across which threshold, and
 * why. It reads the log and nothing else, and writes nothing.
 *
 * Finds the log as the service does (EVENT_LOG_URL), else the development stack that runs on DATA_DIR; when none runs it starts one for
 * the time of the question.
 *
 * Exit codes: 0 answered; 1 failed; 2 wrong arguments, or a policy that cannot be used; 130 stopped by a signal.
 */
import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { BadPolicyError } from '@agent-trust/trust-policy';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import { findPolicy } from '../common/find-policy.ts';
import { policyChanges } from './policy-changes.ts';
import { findReplayTarget } from '../common/find-target.ts';
import { progressLines } from '../common/progress-lines.ts';
import { comparePolicies } from './compare-policies.ts';
import { explainMoves } from './explain-moves.ts';
import { readWhatIfArguments, type WhatIfArguments, whatIfUsage } from './read-arguments.ts';
import { reportJson } from './report.ts';
import { whatIfLines } from './report-lines.ts';

const exitCode = { answered: 0, failed: 1, wrongArguments: 2, stopped: 130 } as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const answer = async (
  log: EventLog,
  wanted: Extract<WhatIfArguments, { kind: 'whatif' }>,
  signal: AbortSignal,
): Promise<void> => {
  const activated = await readActivatedPolicies(log);
  const [from] = activated.slice(-1);
  if (from === undefined) throw new Error('there is always a trust policy');
  const to = await findPolicy(wanted.policy, activated, process.env['INIT_CWD'] ?? process.cwd());
  const changes = policyChanges(from, to);
  // On standard error, so that the answer can be piped.
  const progress = progressLines({
    write: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    verb: 'Replaying',
  });
  const options = { onProgress: progress.show, signal };
  try {
    const comparison = await comparePolicies(log, { from, to }, options);
    const shown = await explainMoves(log, comparison, comparison.moves.slice(0, wanted.top), changes, options);
    progress.end();
    const report = { from, to, changes, comparison, shown };
    if (wanted.json) say(JSON.stringify(reportJson(report), null, 2));
    else for (const line of whatIfLines(report)) say(line);
  } finally {
    progress.end();
  }
};

const findLog = async (): Promise<{ eventLogUrl: string; release: () => Promise<void> }> => {
  const { EVENT_LOG_URL: eventLogUrl } = process.env;
  if (eventLogUrl) return { eventLogUrl, release: () => Promise.resolve() };
  return findReplayTarget(process.env, complain);
};

const run = async (): Promise<number> => {
  const wanted = readWhatIfArguments(process.argv.slice(2));
  if (wanted.kind === 'help') {
    say(whatIfUsage);
    return exitCode.answered;
  }
  if (wanted.kind === 'wrong') {
    complain(`${wanted.problem}\n${whatIfUsage}`);
    return exitCode.wrongArguments;
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const { eventLogUrl, release } = await findLog();
  const log = await openEventLog(eventLogUrl, { applicationName: 'whatif' });
  try {
    await answer(log, wanted, stopping.signal);
    return exitCode.answered;
  } catch (error) {
    if (stopping.signal.aborted) {
      complain('Stopped. Nothing was changed.');
      return exitCode.stopped;
    }
    if (error instanceof BadPolicyError) {
      complain(error.message);
      return exitCode.wrongArguments;
    }
    throw error;
  } finally {
    await log.close();
    await release();
  }
};

// A reader that has seen enough (`| head`) closes the pipe: no fault and nothing left to do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCode.answered);
  throw error;
});

try {
  process.exitCode = await run();
} catch (error) {
  complain(
    `The question could not be answered; nothing was changed.\n${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = exitCode.failed;
}
