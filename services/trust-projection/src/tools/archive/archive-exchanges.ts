import { randomUUID } from 'node:crypto';
import { archiveStream, exchangesArchived, exchangeStream } from '@agent-trust/contracts';
import { type EventLog, EventLogError, type JsonObject, type LogRetention } from '@agent-trust/event-log';
import {
  archiveLimits,
  type ArchiveRecord,
  readRecordedSegment,
  readSegments,
  unpackExchanges,
  unpackLeaves,
} from '@agent-trust/log-archive';
import { archiveRecordOf } from './archive-record-of.ts';
import { exportSegment, type RecordData } from './export-segment.ts';
import { archiveToolLimits } from './limits.ts';
import { makeAhead } from './make-ahead.ts';
import { selectExchanges } from './select-exchanges.ts';
import type { VerifiedLeaves } from './verified-leaves.ts';

export type ArchiveParts = {
  /** May append; its user is that of retention. */
  log: EventLog;
  retention: LogRetention;
  /** What the registry's tree has of the events. */
  leaves: VerifiedLeaves;
  folder: string;
  now: () => Date;
  /** Who runs the command, for the audit trail. */
  actor: { kind: string; id: string | null };
};

export type ArchiveProgress =
  | { phase: 'read'; position: bigint }
  | { phase: 'archived'; segment: string; exchanges: number; events: number; bytes: number; endedTo: Date }
  | { phase: 'finished earlier run'; segment: string };

export type ArchiveReport = {
  segments: number;
  exchanges: number;
  events: number;
  bytes: number;
  /** Exchanges that were reviewed while they were archived: they stay in the log. */
  kept: number;
};

type ArchiveOptions = {
  endedBefore: Date;
  /** Selects and counts, and changes nothing. */
  isDryRun?: boolean;
  /** Default: as many as fit into a record. */
  segmentExchangesMax?: number;
  onProgress?: (progress: ArchiveProgress) => void;
  /** Called before each step that changes something; for tests that kill the command there. */
  beforeStep?: (step: ArchiveStep) => void;
  /** Called when the step is done; steps of several segments overlap. */
  afterStep?: (step: ArchiveStep) => void;
  signal?: AbortSignal;
};
export type ArchiveStep = 'write segment' | 'append record' | 'remove events';

/**
 * Archives the exchanges that ended before a time and that nobody has reviewed. Each segment takes three steps: its file is written, read
 * back from the disk and compared with the leaves of the log's tree; a record of it is appended to the log; its events are removed from
 * the log. Killed at any step, the next run goes on there: no step destroys what an earlier one has not made durable elsewhere.
 *
 * Files are written ahead, while the events of earlier segments are removed. A record is appended only when the events of the one before
 * are gone, so that a killed run leaves at most those of the last record.
 *
 * @throws Error if an event is not the one of its leaf: the log was changed, and nothing more is archived
 */
export async function archiveExchanges(parts: ArchiveParts, options: ArchiveOptions): Promise<ArchiveReport> {
  const { log } = parts;
  const { endedBefore, isDryRun = false, onProgress = () => undefined } = options;
  const { beforeStep = () => undefined, afterStep = () => undefined } = options;
  const signal = options.signal ?? new AbortController().signal;
  const report: ArchiveReport = { segments: 0, exchanges: 0, events: 0, bytes: 0, kept: 0 };
  const inStep = async <Result>(step: ArchiveStep, work: () => Promise<Result>): Promise<Result> => {
    beforeStep(step);
    const result = await work();
    afterStep(step);
    return result;
  };
  const { segments, revision } = await readSegments(log);
  const newest = segments.at(-1);
  if (newest !== undefined && newest.state === 'archived' && !isDryRun) {
    const record = await archiveRecordOf(log, newest);
    const hasRemoved = await inStep('remove events', () => finishRemoval(parts, record));
    if (hasRemoved) onProgress({ phase: 'finished earlier run', segment: record.segment });
  }
  let expected = revision;
  const after = newest === undefined ? -1n : BigInt(newest.completeUpTo);
  const onRead = (position: bigint): void => onProgress({ phase: 'read', position });
  const { segmentExchangesMax = archiveLimits.segmentExchangesMax } = options;
  const selections = selectExchanges(log, { endedBefore, after, segmentExchangesMax, onRead, signal });
  await makeAhead(selections, {
    countMax: archiveToolLimits.segmentsUnderWayMax,
    make: async (selection) => {
      signal.throwIfAborted();
      report.segments += 1;
      report.exchanges += selection.exchanges.length;
      report.events += 2 * selection.exchanges.length;
      return isDryRun ? null : inStep('write segment', () => exportSegment(parts, selection));
    },
    finish: async (data) => {
      if (data === null) return;
      signal.throwIfAborted();
      const recorded = await inStep('append record', () => appendRecord(parts, data, expected));
      expected = recorded.revision;
      const gone = await inStep('remove events', () => removeRecorded(parts, { ...data, ...recorded }));
      report.bytes += data.fileBytes;
      report.kept += data.exchangeCount - gone;
      const { segment, exchangeCount: exchanges, eventCount: events, fileBytes: bytes, endedTo } = data;
      onProgress({ phase: 'archived', segment, exchanges, events, bytes, endedTo: new Date(endedTo) });
    },
  });
  return report;
}

/** Appends the record behind the last one that this run knows: of two runs, the slower one fails here and has removed nothing. */
const appendRecord = async (
  parts: Pick<ArchiveParts, 'log' | 'actor'>,
  data: RecordData,
  expected: bigint | null,
): Promise<{ position: bigint; revision: bigint }> =>
  appendToArchive(parts, { type: exchangesArchived.type, version: exchangesArchived.version, data }, expected);

/** Appends an event to the stream of the archive; repeated with the same id if its outcome is unknown. */
export async function appendToArchive(
  { log, actor }: Pick<ArchiveParts, 'log' | 'actor'>,
  { type, version, data }: { type: string; version: number; data: object },
  expected: bigint | null,
): Promise<{ position: bigint; revision: bigint }> {
  const metadata = { actor, schemaVersion: version };
  const event = { eventId: randomUUID(), type, data: data as JsonObject, metadata };
  const deadlineAt = Date.now() + archiveToolLimits.appendDeadlineMs;
  for (;;) {
    try {
      return await log.append(archiveStream, [event], { expectedRevision: expected ?? 'no_stream' });
    } catch (error) {
      if (!(error instanceof EventLogError) || !error.retryable || Date.now() >= deadlineAt) throw error;
    }
  }
}

/** Removes the events of a recorded segment from the log. @returns how many of its exchanges have no event there any more */
export async function removeRecorded(
  { retention }: Pick<ArchiveParts, 'retention'>,
  record: Pick<ArchiveRecord, 'position' | 'exchanges' | 'leaves' | 'agentIds'>,
): Promise<number> {
  const positions = unpackLeaves(record.leaves).map(({ position }) => position);
  const streams = unpackExchanges(record).map(({ transactionId }) => exchangeStream(transactionId));
  return retention.remove({ recordPosition: record.position, positions }, streams);
}

/** Removes what a killed run has recorded and left in the log; false if nothing was left. */
const finishRemoval = async (parts: ArchiveParts, record: ArchiveRecord): Promise<boolean> => {
  const positions = unpackLeaves(record.leaves).map(({ position }) => position);
  if (!(await isInLog(parts.log, positions))) return false;
  await readRecordedSegment(parts.folder, record);
  await removeRecorded(parts, record);
  return true;
};

const isInLog = async (log: EventLog, positions: readonly bigint[]): Promise<boolean> => {
  for (let from = 0; from < positions.length; from += archiveToolLimits.readAtPositions) {
    if ((await log.readAt(positions.slice(from, from + archiveToolLimits.readAtPositions))).length > 0) return true;
  }
  return false;
};
