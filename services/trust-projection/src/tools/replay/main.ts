/**
 * `pnpm replay`: rebuilds the read models from event 0 beside the live ones, compares every row, switches.
 *
 * Finds the database as the service does (DATABASE_URL and EVENT_LOG_URL), else the development stack that runs on DATA_DIR;
 * when none runs it starts one for the time of the replay.
 *
 * Exit codes: 0 switched, all rows equal or differences accepted; 1 failed; 2 wrong arguments; 3 rows differ, nothing changed;
 * 4 another replay is under way; 130 stopped by a signal.
 */
import { openEventLog } from '@agent-trust/event-log';
import { ReplayInProgressError, replayReadModel } from '@agent-trust/projections';
import { plansOf } from '../common/plans-of.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { readModelSchema } from '../../shared/database.ts';
import type { PolicyPlan } from '../../projector/read-models/trust-policy/policy-plan.ts';
import { findReplayTarget, type ReplayTarget } from '../common/find-target.ts';
import { progressLines } from '../common/progress-lines.ts';
import { readReplayArguments, replayUsage } from './read-arguments.ts';
import { reportLines } from '../common/report-lines.ts';

const exitCode = { switched: 0, failed: 1, wrongArguments: 2, rowsDiffer: 3, inProgress: 4, stopped: 130 } as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Trust policies in the order in which they were in force. */
const namesOf = (plan: PolicyPlan): string => plan.map(({ name }) => name).join(', ');

const replay = async (target: ReplayTarget, acceptDifferences: boolean, signal: AbortSignal): Promise<number> => {
  const log = await openEventLog(target.eventLogUrl, { applicationName: 'replay' });
  const progress = progressLines({
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
  });
  const connection = { connectionString: target.databaseUrl, application_name: 'replay' };
  try {
    const { live, wanted, otherPolicies } = await plansOf(connection, log);
    if (otherPolicies) {
      say(
        `The live read models were built for ${namesOf(live)}, the log has ${namesOf(wanted)}: scores are not compared.`,
      );
    }
    const report = await replayReadModel({
      connection,
      schema: readModelSchema,
      log,
      readModel: await registryReadModel({ policies: () => Promise.resolve(wanted), otherPolicies }),
      acceptDifferences,
      onProgress: progress.show,
      signal,
    });
    progress.end();
    for (const line of reportLines(report)) say(line);
    return report.switched ? exitCode.switched : exitCode.rowsDiffer;
  } catch (error) {
    progress.end();
    throw error;
  } finally {
    await log.close();
  }
};

const run = async (): Promise<number> => {
  const wanted = readReplayArguments(process.argv.slice(2));
  if (wanted.kind === 'help') {
    say(replayUsage);
    return exitCode.switched;
  }
  if (wanted.kind === 'wrong') {
    complain(`${wanted.problem}\n${replayUsage}`);
    return exitCode.wrongArguments;
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const target = await findReplayTarget(process.env, complain);
  try {
    say(`Replaying the read models of ${target.description}.`);
    return await replay(target, wanted.acceptDifferences, stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) {
      complain('Stopped. The live read models are as they were.');
      return exitCode.stopped;
    }
    if (error instanceof ReplayInProgressError) {
      complain('Another replay is under way; wait for it to end.');
      return exitCode.inProgress;
    }
    throw error;
  } finally {
    await target.release();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  complain(
    `The replay failed; the live read models are as they were.\n${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = exitCode.failed;
}
