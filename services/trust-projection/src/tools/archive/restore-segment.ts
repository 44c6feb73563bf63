import { segmentRemoved, segmentRestored } from '@agent-trust/contracts';
import {
  type ArchiveRecord,
  readRecordedSegment,
  readSegments,
  type SegmentEvent,
  type SegmentState,
} from '@agent-trust/log-archive';
import { leafHash, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import { type ArchiveParts, appendToArchive, removeRecorded } from './archive-exchanges.ts';
import { archiveRecordOf } from './archive-record-of.ts';
import { archiveToolLimits } from './limits.ts';

/** No record of the log has this name. */
export class UnknownSegmentError extends Error {
  constructor(segment: string) {
    super(`the log has no record of a segment ${segment}: see npm run archive -- --list`);
    this.name = 'UnknownSegmentError';
  }
}

type Found = { record: ArchiveRecord; state: SegmentState['state']; revision: bigint | null };

const find = async ({ log }: Pick<ArchiveParts, 'log'>, segment: string): Promise<Found> => {
  const { segments, revision } = await readSegments(log);
  const found = segments.find((one) => one.segment === segment);
  if (found === undefined) throw new UnknownSegmentError(segment);
  return { record: await archiveRecordOf(log, found), state: found.state, revision };
};

/**
 * Puts the events of a segment back into the log, each at its position, and reads them back. Nobody can review a restored exchange: it
 * stays one that was archived. May be repeated.
 *
 * @returns how many events were missing in the log
 * @throws UnknownSegmentError, SegmentError, RestoreImpossibleError
 */
export async function restoreSegment(parts: ArchiveParts, segment: string): Promise<number> {
  const { record, state, revision } = await find(parts, segment);
  const events = await readRecordedSegment(parts.folder, record);
  const positions = events.map(({ event }) => event.position);
  const restored = await parts.retention.restore(
    { recordPosition: record.position, positions },
    events.map(({ event }) => event),
  );
  await ensureRestored(parts, events);
  if (state !== 'restored') {
    const data = { segment, restoredAt: parts.now().toISOString() };
    await appendToArchive(parts, { type: segmentRestored.type, version: segmentRestored.version, data }, revision);
  }
  return restored;
}

/** What the log has now must be what it had: the same events with the same leaves. */
const ensureRestored = async ({ log }: ArchiveParts, events: readonly SegmentEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += archiveToolLimits.readAtPositions) {
    const some = events.slice(from, from + archiveToolLimits.readAtPositions).map(({ event }) => event);
    const found = await log.readAt(some.map(({ position }) => position));
    for (const [index, event] of some.entries()) {
      const one = found[index];
      if (one === undefined || !sameHash(leafHash(logEntryOf(one)), leafHash(logEntryOf(event))))
        throw new Error(`the log does not have the event at position ${event.position} as it was archived`);
    }
  }
};

/**
 * Lets the events of a restored segment leave the log again, if the segment is there and whole.
 *
 * @returns how many of its exchanges are in the log no longer
 * @throws UnknownSegmentError, SegmentError
 */
export async function removeSegmentAgain(parts: ArchiveParts, segment: string): Promise<number> {
  const { record, state, revision } = await find(parts, segment);
  await readRecordedSegment(parts.folder, record);
  const gone = await removeRecorded(parts, record);
  if (state === 'restored') {
    const data = { segment, removedAt: parts.now().toISOString() };
    await appendToArchive(parts, { type: segmentRemoved.type, version: segmentRemoved.version, data }, revision);
  }
  return gone;
}
