import { randomUUID } from 'node:crypto';
import type { Replay } from '@agent-trust/contracts';
import type { ReplayProgress, ReplayReport } from '@agent-trust/projections';
import { replayLimits } from './limits.ts';
import { openReplayStore } from './replay-store.ts';

type Work = (hooks: { onProgress: (progress: ReplayProgress) => void; signal: AbortSignal }) => Promise<ReplayReport>;

/**
 * Runs a replay that GET /ops/replays shows: it says every second how far it is, and stops when it is cancelled there.
 *
 * @param replayId of one that an instance has begun; null begins one
 * @throws DomainError replay_in_progress, and what the work throws
 */
export async function recordedReplay(
  {
    databaseUrl,
    replayId,
    acceptDifferences,
    signal,
  }: {
    databaseUrl: string;
    replayId: string | null;
    acceptDifferences: boolean;
    signal: AbortSignal;
  },
  work: Work,
): Promise<ReplayReport> {
  await using resources = new AsyncDisposableStack();
  const store = resources.adopt(await openReplayStore(databaseUrl), (it) => it.close());
  const id = replayId ?? randomUUID();
  if (replayId === null) await store.begin({ replayId: id, acceptDifferences, requestedBy: null, instanceId: null });
  resources.adopt(await store.live(id), (it) => it.release());
  const cancelled = new AbortController();
  let newest: Replay['progress'] = null;
  let isReporting = false;
  const report = async (): Promise<void> => {
    if (newest === null || isReporting) return;
    isReporting = true;
    try {
      if (await store.progressed(id, newest)) cancelled.abort(new Error('the replay was cancelled'));
    } catch {
      // The database is briefly away: the replay itself says so if it stays away.
    } finally {
      isReporting = false;
    }
  };
  const timer = setInterval(() => void report(), replayLimits.reportEveryMs);
  const either = AbortSignal.any([signal, cancelled.signal]);
  const onProgress = (progress: ReplayProgress): void => {
    const isFirst = newest === null;
    newest = shownProgress(progress);
    if (isFirst) void report();
  };
  try {
    const done = await work({ onProgress, signal: either });
    await store.ended(id, done.switched ? 'switched' : 'rows_differ', { result: shownResult(done) });
    return done;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await store
      .ended(id, either.aborted ? 'stopped' : 'failed', {
        error: either.aborted ? null : reason.slice(0, replayLimits.errorCharsMax),
      })
      .catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
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
const shownResult = ({ comparison, position, ...report }: ReplayReport): NonNullable<Replay['result']> => ({
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
});
