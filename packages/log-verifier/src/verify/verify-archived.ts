import { readRecordedSegment, SegmentError } from '@agent-trust/log-archive/segment-file';
import type { Finding } from '../report/report.ts';
import type { LogSource } from '../sources/log-source.ts';

type Archived = { findings: Finding[]; remarks: string[] };

const whole = (value: number): string => value.toLocaleString('en');

/**
 * Holds the segments in a folder against the leaves that the log keeps of their events, which the tree was grown with. Without a folder it
 * only says how many events could not be verified themselves.
 */
export async function verifyArchived(
  source: LogSource,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Archived> {
  const findings: Finding[] = [];
  let [segments, events] = [0, 0];
  for await (const record of source.records?.() ?? []) {
    signal.throwIfAborted();
    segments += 1;
    events += record.eventCount;
    if (folder === undefined) continue;
    try {
      await readRecordedSegment(folder, record);
    } catch (error) {
      const message = messageOf(error);
      if (message === null) throw error;
      findings.push({
        code: 'segment_differs',
        message: `${record.segment}: ${message}`,
        position: record.firstPosition,
      });
    }
  }
  if (segments === 0) return { findings, remarks: [] };
  const archived = `${whole(events)} event(s) in ${whole(segments)} segment(s) were archived`;
  const remark =
    folder === undefined
      ? `${archived}: they were verified by the leaves that the log keeps of them, not by themselves. Give --segments to verify the events.`
      : `${archived}; their segments in ${folder} were verified event by event.`;
  return { findings, remarks: [remark] };
}

const messageOf = (error: unknown): string | null => {
  if (error instanceof SegmentError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'its file is missing' : null;
};
