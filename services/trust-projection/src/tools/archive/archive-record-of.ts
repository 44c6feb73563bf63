import { archiveStream } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { type ArchiveRecord, recordOf, type SegmentState } from '@agent-trust/log-archive';

/** The whole record of a segment, with its lists. */
export async function archiveRecordOf(
  log: Pick<EventLog, 'readStream'>,
  segment: SegmentState,
): Promise<ArchiveRecord> {
  const [recorded] = await log.readStream(archiveStream, { fromRevision: segment.revision, countMax: 1 });
  const record = recorded === undefined ? null : recordOf(recorded);
  if (record?.segment !== segment.segment) throw new Error(`the log has no record of ${segment.segment} any more`);
  return record;
}
