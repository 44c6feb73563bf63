/** `npm run policy:activate`: puts a trust policy in force, by a build of the read models beside the live ones and one event. */
import { randomUUID } from 'node:crypto';
import { activateTrustPolicy, DomainError } from '@agent-trust/contracts';
import { ArgumentsError, complain, runCommand, say } from '@agent-trust/command-line';
import { type EventLog, openCheckedEventLog } from '@agent-trust/event-log';
import { connectRpc, RpcRefusedError } from '@agent-trust/nats-rpc';
import { ReplayInProgressError } from '@agent-trust/projections';
import { BadPolicyError } from '@agent-trust/trust-policy';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import { recordedReplay } from '../../replays/recorded-replay.ts';
import { requestedActivation } from '../../replays/requested-activation.ts';
import { findPolicy } from '../common/find-policy.ts';
import { findTarget } from '../common/find-target.ts';
import { progressLines, reportLines } from '../common/report.ts';
import { activatePolicy, readSwitchSummary, summaryLines } from './activate-policy.ts';

const exitCode = { inForce: 0, failed: 1, refused: 2, rowsDiffer: 3, inProgress: 4 } as const;
/** The live read models are held up for this time at most. */
const appendTimeoutMs = 10_000;
/** NATS knows this command by the service whose read models it builds. */
const service = 'trust-projection';

/** What a failure leaves: the live read models as they were, but perhaps an activation in the log that they stop at. */
const afterFailure = async (log: EventLog, activationsBefore: number): Promise<string> => {
  const activated = await readActivatedPolicies(log).catch(() => null);
  if (activated === null)
    return 'It is not known whether the activation was appended: look with npm run whatif, or run this again.';
  return activated.length - 1 === activationsBefore
    ? 'Nothing was changed.'
    : 'The activation is in the log, and the read models stop at it: run this again to finish the switch, or npm run replay.';
};

await runCommand({
  usage: `Usage: npm run policy:activate -- --policy <file or name>

Puts a trust policy in force: builds the read models for it from event 0 beside the live ones, then appends the activation to the log and
switches, in one step. What was answered before stays as it was. Uses DATABASE_URL, EVENT_LOG_URL and NATS_URL as the service does, else the
development stack on DATA_DIR; registry-write must run.
  --policy <file or name>   a policy in a JSON file, or the name of one that comes with the registry or was in force once

Exit codes: 0 in force; 1 failed; 2 wrong arguments or a policy that is refused; 3 rows differ, nothing was changed; 4 a replay is in
progress; 130 stopped.`,
  options: { policy: { type: 'string' } },
  stopped: 'Stopped.',
  exitCodeOf: (error) => {
    const isInProgress = error instanceof DomainError && error.code === 'replay_in_progress';
    if (isInProgress || error instanceof ReplayInProgressError) return exitCode.inProgress;
    const isRefusal =
      error instanceof BadPolicyError || error instanceof DomainError || error instanceof RpcRefusedError;
    return isRefusal ? exitCode.refused : exitCode.failed;
  },
  run: async ({ policy: given }, signal) => {
    const requested = requestedActivation(process.env);
    if (given === undefined && requested === null) throw new ArgumentsError('--policy is missing');
    await using resources = new AsyncDisposableStack();
    const target = resources.adopt(await findTarget(process.env, complain), (it) => it.release());
    const connection = { connectionString: target.databaseUrl, application_name: 'policy-activate' };
    const log = resources.adopt(
      await openCheckedEventLog(target.eventLogUrl, { applicationName: 'policy-activate' }),
      (it) => it.close(),
    );
    const activated = await readActivatedPolicies(log);
    try {
      const policy =
        requested?.policy ?? (await findPolicy(given ?? '', activated, process.env['INIT_CWD'] ?? process.cwd()));
      say(`Building the read models of ${target.description} for trust policy ${policy.name}.`);
      const { natsUrl } = target;
      if (natsUrl === undefined) throw new Error('Set NATS_URL, too: registry-write is asked over the bus.');
      const instanceId = `policy-activate-${randomUUID()}`;
      const rpc = resources.adopt(await connectRpc({ natsUrl, service, instanceId }), (it) => it.close());
      const progress = resources.adopt(progressLines(process.stdout), (it) => it.end());
      const recorded = {
        databaseUrl: target.databaseUrl,
        replayId: requested?.replayId ?? null,
        acceptDifferences: false,
        policy: policy.name,
        signal,
      };
      const { report, activation, wasFinished } = await recordedReplay(
        recorded,
        async ({ onProgress, signal: stopping }) => {
          const done = await activatePolicy({
            connection,
            log,
            policy,
            append: async (activationsBefore) => {
              const input = { policy, activationsBefore, ...(requested === null ? {} : { actor: requested.actor }) };
              return BigInt((await rpc.request(activateTrustPolicy, input, { timeoutMs: appendTimeoutMs })).position);
            },
            onProgress: (at) => {
              progress.show(at);
              onProgress(at);
            },
            signal: stopping,
          });
          return { ...done, activation: done.report.switched ? await readSwitchSummary(connection) : null };
        },
      );
      progress.end();
      if (wasFinished) say('The activation was in the log already; the switch that belongs to it was finished now.');
      for (const line of reportLines(report)) say(line);
      if (!report.switched) return exitCode.rowsDiffer;
      if (activation !== null) for (const line of summaryLines(policy.name, activation)) say(line);
      return exitCode.inForce;
    } catch (error) {
      complain(await afterFailure(log, activated.length - 1));
      throw error;
    }
  },
});
