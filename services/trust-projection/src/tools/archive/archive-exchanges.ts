import { randomUUID } from 'node:crypto';
import { archiveStream, exchangesArchived, exchangeStream, type ExchangesArchived } from '@agent-trust/contracts';
import { type EventLog, EventLogError, type JsonObject, type LogRetention } from '@agent-trust/event-log';
import {
  archiveLimits,
  type ArchiveRecord,
  hashOfPositions,
  packExchanges,
  packLeaves,
  readRecordedSegment,
  readSegment,
  readSegments,
  type SegmentEvent,
  segmentNameOf,
  segmentPath,
  unpackExchanges,
  unpackLeaves,
  writeSegment,
} from '@agent-trust/log-archive';
import { leafHash, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import { archiveRecordOf } from './archive-record-of.ts';
import { archiveToolLimits } from './limits.ts';
import { type Selection, selectExchanges } from './select-exchanges.ts';
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
  signal?: AbortSignal;
};
export type ArchiveStep = 'write segment' | 'append record' | 'remove events';

/**
 * Archives the exchanges that ended before a time and that nobody has reviewed. Each segment takes three steps: its file is written, read
 * back from the disk and compared with the leaves of the log's tree; a record of it is appended to the log; its events are removed from
 * the log. Killed at any step, the next run goes on there: no step destroys what an earlier one has not made durable elsewhere.
 *
 * @throws Error if an event is not the one of its leaf: the log was changed, and nothing more is archived
 */
export async function archiveExchanges(parts: ArchiveParts, options: ArchiveOptions): Promise<ArchiveReport> {
  const { log } = parts;
  const { endedBefore, isDryRun = false, onProgress = () => undefined, beforeStep = () => undefined } = options;
  const signal = options.signal ?? new AbortController().signal;
  const report: ArchiveReport = { segments: 0, exchanges: 0, events: 0, bytes: 0, kept: 0 };
  const { segments, revision } = await readSegments(log);
  const newest = segments.at(-1);
  if (newest !== undefined && newest.state === 'archived' && !isDryRun) {
    const record = await archiveRecordOf(log, newest);
    beforeStep('remove events');
    if (await finishRemoval(parts, record)) onProgress({ phase: 'finished earlier run', segment: record.segment });
  }
  let expected = revision;
  const after = newest === undefined ? -1n : BigInt(newest.completeUpTo);
  const onRead = (position: bigint): void => onProgress({ phase: 'read', position });
  const { segmentExchangesMax = archiveLimits.segmentExchangesMax } = options;
  const selections = selectExchanges(log, { endedBefore, after, segmentExchangesMax, onRead, signal });
  for await (const selection of selections) {
    signal.throwIfAborted();
    report.segments += 1;
    report.exchanges += selection.exchanges.length;
    report.events += 2 * selection.exchanges.length;
    if (isDryRun) continue;
    beforeStep('write segment');
    const data = await exportSegment(parts, selection);
    beforeStep('append record');
    const recorded = await appendRecord(parts, data, expected);
    expected = recorded.revision;
    beforeStep('remove events');
    const gone = await removeRecorded(parts, { ...data, ...recorded });
    report.bytes += data.fileBytes;
    report.kept += data.exchangeCount - gone;
    const { segment, exchangeCount: exchanges, eventCount: events, fileBytes: bytes, endedTo } = data;
    onProgress({ phase: 'archived', segment, exchanges, events, bytes, endedTo: new Date(endedTo) });
  }
  return report;
}

type RecordData = ExchangesArchived['data'];

/** Writes the file of a segment, reads it back, and holds both against the leaves of the log's tree. */
const exportSegment = async (
  { leaves, folder, now }: ArchiveParts,
  { exchanges, completeUpTo }: Selection,
): Promise<RecordData> => {
  const events = exchanges
    .flatMap(({ start, end }) => [start, end])
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  const positions = events.map(({ position }) => position);
  const [first, last] = [positions[0], positions.at(-1)];
  const [endedFirst, endedLast] = [exchanges[0]?.end, exchanges.at(-1)?.end];
  if (first === undefined || last === undefined || endedFirst === undefined || endedLast === undefined)
    throw new RangeError('a segment without exchanges');
  const found = await leaves.at(positions);
  const withLeaves: SegmentEvent[] = events.map((event, index) => {
    const leaf = found[index];
    const hash = leafHash(logEntryOf(event));
    if (leaf?.position !== event.position || !sameHash(leaf.hash, hash)) {
      throw new Error(
        `the event at position ${event.position} is not the one in the log's tree: nothing more is archived; see npm run log:verify`,
      );
    }
    return { event, leafIndex: leaf.leafIndex, hash };
  });
  const segment = segmentNameOf(first, last);
  const path = segmentPath(folder, segment);
  const file = await writeSegment(path, withLeaves);
  const readBack = await readSegment(path, { fileSha256: file.fileSha256, eventCount: events.length });
  readBack.forEach(({ leafIndex, hash }, index) => {
    const leaf = found[index];
    if (leafIndex !== leaf?.leafIndex || !sameHash(leaf.hash, hash))
      throw new Error(`${path} does not have the event at position ${leaf?.position} as it was written`);
  });
  const agentIds = [
    ...new Set(exchanges.flatMap(({ archived }) => [archived.callerAgentId, archived.receiverAgentId])),
  ];
  return {
    segment,
    ...file,
    eventCount: events.length,
    exchangeCount: exchanges.length,
    firstPosition: String(first),
    lastPosition: String(last),
    completeUpTo: String(completeUpTo),
    endedFrom: endedFirst.recordedAt.toISOString(),
    endedTo: endedLast.recordedAt.toISOString(),
    positionsSha256: hashOfPositions(positions),
    agentIds,
    exchanges: packExchanges(
      exchanges.map(({ archived }) => archived),
      agentIds,
    ),
    leaves: packLeaves(withLeaves.map(({ event: { position, eventId }, hash }) => ({ position, eventId, hash }))),
    archivedAt: now().toISOString(),
  };
};

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
