/** `npm run replay`: rebuilds the read models from event 0 beside the live ones, compares every row, switches. */
import { DomainError } from '@agent-trust/contracts';
import { complain, runCommand, say } from '@agent-trust/command-line';
import { openCheckedEventLog } from '@agent-trust/event-log';
import { ReplayInProgressError, replayReadModel } from '@agent-trust/projections';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import type { PolicyPlan } from '../../projector/read-models/trust-policy/policy-plan.ts';
import { recordedReplay } from '../../replays/recorded-replay.ts';
import { haltReplicas } from '../../replicas/halt-replicas.ts';
import { readModelSchema } from '../../shared/database.ts';
import { findTarget } from '../common/find-target.ts';
import { plansOf } from '../common/plans-of.ts';
import { progressLines, reportLines } from '../common/report.ts';

const exitCode = { switched: 0, rowsDiffer: 3, inProgress: 4 } as const;

const isInProgress = (error: unknown): boolean =>
  error instanceof ReplayInProgressError || (error instanceof DomainError && error.code === 'replay_in_progress');

/** Trust policies in the order in which they were in force. */
const namesOf = (plan: PolicyPlan): string => plan.map(({ name }) => name).join(', ');

await runCommand({
  usage: `Usage: npm run replay -- [--accept-differences]

Rebuilds the read models from event 0 beside the live ones, compares every row, and switches when all are equal. Uses DATABASE_URL and
EVENT_LOG_URL as the service does, else the development stack on DATA_DIR; starts that stack for the replay when it does not run.
  --accept-differences   switch even when rows differ: the code of the projections was changed on purpose

Exit codes: 0 switched; 1 failed; 2 wrong arguments; 3 rows differ, nothing changed; 4 another replay is in progress; 130 stopped.`,
  options: { 'accept-differences': { type: 'boolean' } },
  stopped: 'Stopped. The live read models are unchanged.',
  failed: 'The replay failed; the live read models are unchanged.',
  exitCodeOf: (error) => (isInProgress(error) ? exitCode.inProgress : 1),
  run: async ({ 'accept-differences': acceptDifferences = false }, signal) => {
    await using resources = new AsyncDisposableStack();
    const target = resources.adopt(await findTarget(process.env, complain), (it) => it.release());
    say(`Replaying the read models of ${target.description}.`);
    const log = resources.adopt(await openCheckedEventLog(target.eventLogUrl, { applicationName: 'replay' }), (it) =>
      it.close(),
    );
    const progress = resources.adopt(progressLines(process.stdout), (it) => it.end());
    const connection = { connectionString: target.databaseUrl, application_name: 'replay' };
    const { live, wanted, otherPolicies, isArchived } = await plansOf(connection, log);
    if (otherPolicies) {
      const names = `The live read models were built for ${namesOf(live)}, the log has ${namesOf(wanted)}`;
      say(`${names}: scores are not compared.`);
    }
    const readModel = await registryReadModel({ policies: () => Promise.resolve(wanted), otherPolicies, isArchived });
    const recorded = {
      databaseUrl: target.databaseUrl,
      replayId: process.env['REPLAY_ID'] || null,
      acceptDifferences,
      policy: null,
      signal,
    };
    const { report } = await recordedReplay(recorded, async ({ onProgress, signal: stopping }) => ({
      report: await replayReadModel({
        connection,
        schema: readModelSchema,
        beforeSwitch: () => haltReplicas(connection, readModelSchema),
        log,
        readModel,
        acceptDifferences,
        onProgress: (at) => {
          progress.show(at);
          onProgress(at);
        },
        signal: stopping,
      }),
    }));
    progress.end();
    for (const line of reportLines(report)) say(line);
    return report.switched ? exitCode.switched : exitCode.rowsDiffer;
  },
});
