/** `npm run archive`: lets exchanges that ended long ago leave the event log for segments, and lists and restores these. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ArgumentsError, complain, makeFolder, type OptionValues, runCommand, say } from '@agent-trust/command-line';
import { openCheckedEventLog, openLogRetention } from '@agent-trust/event-log';
import { readSegments, removePartialSegments, segmentPath } from '@agent-trust/log-archive';
import { closeQuietly } from '@agent-trust/projections';
import pg from 'pg';
import { logRecordSchema } from '../../audit/start-log-record.ts';
import { openReadModelDatabase } from '../../shared/database.ts';
import { findTarget } from '../common/find-target.ts';
import { type ArchiveParts, type ArchiveProgress, archiveExchanges } from './archive-exchanges.ts';
import { archiveToolLimits } from './limits.ts';
import { removeSegmentAgain, restoreSegment } from './restore-segment.ts';
import { verifiedLeavesIn } from './verified-leaves.ts';

const exitCode = { done: 0, inProgress: 4 } as const;
const dayMs = 86_400_000;
const progressEveryMs = 1_000;

const options = {
  'older-than': { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
  restore: { type: 'string' },
  remove: { type: 'string' },
  list: { type: 'boolean' },
} as const;
type Given = OptionValues<typeof options>;

/** @throws ArgumentsError */
const daysOf = (given: string | undefined): number => {
  const { olderThanDaysMin, olderThanDaysMax } = archiveToolLimits;
  const days = Number(/^(\d{1,5})d$/u.exec(given ?? '')?.[1]);
  if (days >= olderThanDaysMin && days <= olderThanDaysMax) return days;
  throw new ArgumentsError(
    `--older-than is a number of days from ${olderThanDaysMin} to ${olderThanDaysMax}, such as 90d, not ${JSON.stringify(given)}.`,
  );
};

const taskOf = (given: Given): 'archive' | 'restore' | 'remove' | 'list' => {
  const named = (['restore', 'remove', 'list'] as const).filter((task) => given[task] !== undefined);
  const [task = 'archive', other] = given['older-than'] === undefined ? named : ['archive' as const, ...named];
  if (other !== undefined || (named.length === 0 && given['older-than'] === undefined))
    throw new ArgumentsError('Give one of --older-than, --restore, --remove and --list.');
  if (given.to === undefined && !(task === 'archive' && given['dry-run'] === true))
    throw new ArgumentsError('--to names the folder of the segments.');
  return task;
};

const whole = (value: number | bigint): string => value.toLocaleString('en');

/** A line for each segment, and in between one a second while the log is read. */
const progressLines = (): ((progress: ArchiveProgress) => void) => {
  let saidAt = performance.now();
  return (progress) => {
    if (progress.phase === 'read') {
      if (performance.now() - saidAt < progressEveryMs) return;
      saidAt = performance.now();
      complain(`Reading the log, at position ${progress.position}…`);
    } else if (progress.phase === 'finished earlier run') {
      say(`${progress.segment}: its events had not left the log yet; they have now.`);
    } else {
      const { segment, exchanges, bytes, endedTo } = progress;
      say(`${segment}: ${whole(exchanges)} exchanges up to ${endedTo.toISOString()}, ${whole(bytes)} bytes.`);
    }
  };
};

const archive = async (parts: ArchiveParts, given: Given, signal: AbortSignal): Promise<void> => {
  const isDryRun = given['dry-run'] === true;
  const endedBefore = new Date(Date.now() - daysOf(given['older-than']) * dayMs);
  say(`Exchanges that ended before ${endedBefore.toISOString()} and were not reviewed:`);
  const report = await archiveExchanges(parts, { endedBefore, isDryRun, onProgress: progressLines(), signal });
  const { segments, exchanges, events, bytes, kept } = report;
  const counted = `${whole(exchanges)} exchanges (${whole(events)} events) in ${whole(segments)} segments`;
  if (isDryRun) say(`${counted} would be archived. Nothing was changed.`);
  else say(`${counted} were archived, ${whole(bytes)} bytes.`);
  if (kept > 0) say(`${whole(kept)} of them were reviewed meanwhile and stay in the log, too.`);
};

const list = async ({ log, folder }: ArchiveParts): Promise<void> => {
  const { segments } = await readSegments(log);
  if (segments.length === 0) say('Nothing was archived.');
  for (const { segment, state, exchangeCount, endedFrom, endedTo } of segments) {
    const file = existsSync(segmentPath(folder, segment)) ? '' : ', FILE MISSING';
    say(`${segment}  ${state}${file}  ${whole(exchangeCount)} exchanges, ended ${endedFrom} to ${endedTo}`);
  }
};

/** Held until the connection ends. Two runs without it would not harm each other, but one of them would have worked for nothing. */
const isOnlyRun = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ held: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('agent-trust archive', 0)) AS held`,
  );
  return rows[0]?.held === true;
};

await runCommand({
  usage: `Usage: npm run archive -- --older-than <days>d --to <folder> [--dry-run]
       npm run archive -- --list --to <folder>
       npm run archive -- --restore <segment> --to <folder>
       npm run archive -- --remove <segment> --to <folder>

Lets exchanges that ended long ago, and that nobody has reviewed, leave the event log: their events go into segments (JSON Lines, compressed with
zstd) in the folder, and the log keeps their leaves and what they count for. Works while the registry runs; a run that was stopped is continued by
the next. Uses DATABASE_URL, EVENT_LOG_URL and EVENT_LOG_RETENTION_URL, else the development stack on DATA_DIR.
  --older-than <days>d   archive exchanges that ended more days ago than this
  --to <folder>          the folder of the segments
  --dry-run              count what would be archived, and change nothing
  --list                 list the segments that the log has a record of
  --restore <segment>    put the events of a segment back into the log
  --remove <segment>     let the events of a restored segment leave the log again

Exit codes: 0 done; 1 failed; 2 wrong arguments; 4 another run is in progress; 130 stopped.`,
  options,
  stopped: 'Stopped. Nothing is lost; run the command again to continue.',
  run: async (given, signal) => {
    const task = taskOf(given);
    if (task === 'archive') daysOf(given['older-than']);
    await using resources = new AsyncDisposableStack();
    const target = resources.adopt(await findTarget(process.env, complain), (it) => it.release());
    const { databaseUrl, retentionUrl } = target;
    const folder = resolve(given.to ?? '.');
    if (task === 'archive' && given['dry-run'] !== true) makeFolder(folder);
    const lock = resources.adopt(new pg.Client({ connectionString: databaseUrl, application_name: 'archive' }), (it) =>
      closeQuietly(it),
    );
    lock.on('error', () => complain('The lock of this run is lost. It goes on; another run may begin beside it.'));
    await lock.connect();
    if (task !== 'list' && !(await isOnlyRun(lock))) {
      complain('Another run of this command is in progress.');
      return exitCode.inProgress;
    }
    if (task === 'archive' && given['dry-run'] !== true) await removePartialSegments(folder);
    const applicationName = 'archive';
    const log = resources.adopt(await openCheckedEventLog(retentionUrl, { applicationName }), (it) => it.close());
    const retention = resources.adopt(await openLogRetention(retentionUrl, { applicationName }), (it) => it.close());
    const database = resources.adopt(
      openReadModelDatabase(databaseUrl, undefined, {
        poolName: 'archive',
        schema: logRecordSchema,
        connectionsMax: archiveToolLimits.databaseConnectionsMax,
      }),
      (it) => it.close(),
    );
    const parts: ArchiveParts = {
      log,
      retention,
      leaves: verifiedLeavesIn(database),
      folder,
      now: () => new Date(),
      actor: { kind: 'system', id: 'archive' },
    };
    if (task === 'archive') await archive(parts, given, signal);
    else if (task === 'list') await list(parts);
    else if (task === 'restore') {
      const restored = await restoreSegment(parts, given.restore ?? '');
      say(`${given.restore}: ${whole(restored)} events were put back into the log; nobody can review these exchanges.`);
    } else {
      const gone = await removeSegmentAgain(parts, given.remove ?? '');
      say(`${given.remove}: ${whole(gone)} exchanges are no longer in the log.`);
    }
    return exitCode.done;
  },
});
