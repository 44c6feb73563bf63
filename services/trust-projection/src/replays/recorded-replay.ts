import { randomUUID } from 'node:crypto';
import type { PolicySwitch, Replay } from '@agent-trust/contracts';
import type { ReplayProgress, ReplayReport } from '@agent-trust/projections';
import { errorText, reportedWork, type WorkHooks } from '../jobs/reported-work.ts';
import { openReplayStore } from './replay-store.ts';

/**
 * Runs a replay that GET /ops/replays shows: it says every second how far it is, and stops when it is cancelled there.
 *
 * @param replayId of one that an instance has begun; null begins one
 * @param policy name of the trust policy that it puts in force; null for none
 * @throws DomainError replay_in_progress, and what the work throws
 */
export async function recordedReplay<Done extends { report: ReplayReport; activation?: PolicySwitch | null }>(
  {
    databaseUrl,
    replayId,
    acceptDifferences,
    policy,
    signal,
  }: {
    databaseUrl: string;
    replayId: string | null;
    acceptDifferences: boolean;
    policy: string | null;
    signal: AbortSignal;
  },
  work: (hooks: WorkHooks<ReplayProgress>) => Promise<Done>,
): Promise<Done> {
  await using resources = new AsyncDisposableStack();
  const store = resources.adopt(await openReplayStore(databaseUrl), (it) => it.close());
  const id = replayId ?? randomUUID();
  if (replayId === null) {
    await store.begin({ replayId: id, acceptDifferences, policy, requestedBy: null, instanceId: null });
  }
  resources.adopt(await store.live(id), (it) => it.release());
  const report = async (progress: ReplayProgress): Promise<string | null> =>
    (await store.progressed(id, shownProgress(progress))) ? 'cancelled' : null;
  const outcome = await reportedWork({ report, signal }, work);
  if ('result' in outcome) {
    const { report: done, activation = null } = outcome.result;
    await store.ended(id, done.switched ? 'switched' : 'rows_differ', { result: shownResult(done, activation) });
    return outcome.result;
  }
  const { error, stopped } = outcome;
  const failed = stopped === null ? { error: errorText(error) } : {};
  await store.ended(id, stopped === null ? 'failed' : 'stopped', failed).catch(() => undefined);
  throw error;
}

const shownProgress = (progress: ReplayProgress): NonNullable<Replay['progress']> => ({
  phase: progress.phase,
  events: progress.events,
  eventsTotal: progress.eventsTotal,
  fraction: progress.fraction,
  eventsPerSecond: Math.round(progress.eventsPerSecond),
  remainingSeconds: progress.remainingMs === null ? null : Math.round(progress.remainingMs / 100) / 10,
});

/** The rows themselves are shown by the command alone: they may hold what operators need not see. */
const shownResult = (
  { comparison, position, ...report }: ReplayReport,
  activation: PolicySwitch | null,
): NonNullable<Replay['result']> => ({
  events: report.events,
  durationMs: Math.round(report.durationMs),
  eventsPerSecond: Math.round(report.eventsPerSecond),
  position: position === null ? null : String(position),
  switched: report.switched,
  comparison:
    comparison === null
      ? null
      : {
          position: comparison.position === null ? null : String(comparison.position),
          rows: comparison.rows,
          rowsDiffering: comparison.rowsDiffering,
          tables: comparison.tables
            .filter(({ rowsDiffering }) => rowsDiffering > 0)
            .map(({ table, rowsDiffering }) => ({ table, rowsDiffering })),
        },
  activation,
});
