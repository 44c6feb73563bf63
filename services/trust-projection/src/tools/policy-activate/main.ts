/**
 * `pnpm policy:activate`: puts a trust policy in force. The read models are built for it from event 0 beside the live ones; then the
 * activation is appended to the log and the new ones take their place, in one step.
 *
 * Finds database, event log and bus as the service does (DATABASE_URL, EVENT_LOG_URL, NATS_URL), else the development stack that runs on
 * DATA_DIR; when none runs it starts one for the time of the switch. registry-write must run: it alone may append to the log.
 *
 * Exit codes: 0 in force; 1 failed; 2 wrong arguments, or a policy that is refused; 3 rows differ, nothing changed; 4 a replay is under
 * way; 130 stopped by a signal.
 */
import { randomUUID } from 'node:crypto';
import { activateTrustPolicy, DomainError } from '@agent-trust/contracts';
import { type EventLog, openEventLog } from '@agent-trust/event-log';
import { connectRpc, RpcRefusedError } from '@agent-trust/nats-rpc';
import { ReplayInProgressError } from '@agent-trust/projections';
import { BadPolicyError, type TrustPolicy } from '@agent-trust/trust-policy';
import { activatePolicy } from './activate-policy.ts';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import { findPolicy } from '../common/find-policy.ts';
import { activateUsage, readActivateArguments } from './read-arguments.ts';
import { readSwitchSummary, summaryLines } from './switch-summary.ts';
import { findReplayTarget, type ReplayTarget } from '../common/find-target.ts';
import { progressLines } from '../common/progress-lines.ts';
import { reportLines } from '../common/report-lines.ts';

const exitCode = { inForce: 0, failed: 1, refused: 2, rowsDiffer: 3, inProgress: 4, stopped: 130 } as const;
/** The live read models are held up meanwhile. */
const appendTimeoutMs = 10_000;
/** As NATS knows this command: by the service whose read models it builds. */
const service = 'trust-projection';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const activate = async (target: ReplayTarget, log: EventLog, policy: TrustPolicy, signal: AbortSignal) => {
  if (target.natsUrl === undefined) throw new Error('Set NATS_URL, too: registry-write is asked over the bus.');
  const rpc = await connectRpc({ natsUrl: target.natsUrl, service, instanceId: `policy-activate-${randomUUID()}` });
  const connection = { connectionString: target.databaseUrl, application_name: 'policy-activate' };
  const progress = progressLines({
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
  });
  try {
    const { report, previousPolicy, wasFinished } = await activatePolicy({
      connection,
      log,
      policy,
      append: async (activationsBefore) => {
        const input = { policy, activationsBefore };
        return BigInt((await rpc.request(activateTrustPolicy, input, { timeoutMs: appendTimeoutMs })).position);
      },
      onProgress: progress.show,
      signal,
    });
    progress.end();
    if (wasFinished) say('The activation was in the log already; the switch that belongs to it was finished now.');
    for (const line of reportLines(report)) say(line);
    if (!report.switched) return exitCode.rowsDiffer;
    const summary = await readSwitchSummary(connection);
    if (summary !== null) for (const line of summaryLines(policy.name, previousPolicy, summary)) say(line);
    return exitCode.inForce;
  } finally {
    progress.end();
    await rpc.close();
  }
};

/** What a failure has left: the live read models as they were, but perhaps an activation in the log that they stop at. */
const afterFailure = async (log: EventLog, activationsBefore: number): Promise<string> => {
  const activated = await readActivatedPolicies(log).catch(() => null);
  if (activated === null)
    return 'Whether the activation was appended is not known: look with pnpm whatif, or run this again.';
  return activated.length - 1 === activationsBefore
    ? 'Nothing was changed.'
    : 'The activation is in the log, and the read models stop at it: run this again to finish the switch, or pnpm replay.';
};

const exitCodeOf = (error: unknown, signal: AbortSignal): number => {
  if (signal.aborted) return exitCode.stopped;
  if (error instanceof ReplayInProgressError) return exitCode.inProgress;
  const isRefusal = error instanceof BadPolicyError || error instanceof DomainError || error instanceof RpcRefusedError;
  return isRefusal ? exitCode.refused : exitCode.failed;
};

const run = async (): Promise<number> => {
  const wanted = readActivateArguments(process.argv.slice(2));
  if (wanted.kind === 'help') {
    say(activateUsage);
    return exitCode.inForce;
  }
  if (wanted.kind === 'wrong') {
    complain(`${wanted.problem}\n${activateUsage}`);
    return exitCode.refused;
  }
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  const target = await findReplayTarget(process.env, complain);
  const log = await openEventLog(target.eventLogUrl, { applicationName: 'policy-activate' });
  let activationsBefore: number | null = null;
  try {
    const activated = await readActivatedPolicies(log);
    activationsBefore = activated.length - 1;
    const policy = await findPolicy(wanted.policy, activated, process.env['INIT_CWD'] ?? process.cwd());
    say(`Building the read models of ${target.description} for trust policy ${policy.name}.`);
    return await activate(target, log, policy, stopping.signal);
  } catch (error) {
    const code = exitCodeOf(error, stopping.signal);
    if (code !== exitCode.stopped) complain(error instanceof Error ? error.message : String(error));
    if (activationsBefore !== null) complain(await afterFailure(log, activationsBefore));
    return code;
  } finally {
    await log.close();
    await target.release();
  }
};

try {
  process.exitCode = await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exitCode = exitCode.failed;
}
