import { printable } from '@agent-trust/command-line';
import type { NoteErrorCode } from '@agent-trust/transparency-log';
import type { LeafFaultCode } from '../sources/log-source.ts';

type FindingCode =
  | LeafFaultCode
  | NoteErrorCode
  | 'event_added'
  | 'log_truncated'
  | 'log_forked'
  | 'log_differs'
  | 'split_view'
  | 'tiles_differ'
  | 'segment_differs'
  | 'not_cosigned';

/** One thing that is wrong, and where. */
export type Finding = {
  code: FindingCode;
  message: string;
  /** The checkpoint that it was held against. */
  checkpoint?: string;
  line?: number;
  /** Place in the log, from 0, and what stands there. */
  index?: number;
  position?: string;
  event_id?: string;
  /** How many events are missing, or were added. */
  count?: number;
  /** The last size that still fits, and the first that does not. */
  from_size?: number;
  to_size?: number;
};

export type CheckpointResult = {
  source: string;
  verified: boolean;
  origin: string | null;
  size: number | null;
  root: string | null;
  signed_by: string[];
  cosigned_by: { name: string; at: string }[];
};

/** What a verification found. Members are named as they are in its JSON. */
export type VerificationReport = {
  verified: boolean;
  log: { source: string; events: number; last_position: string | null; root: string };
  checkpoints: CheckpointResult[];
  findings: Finding[];
  /** Findings that were left out, as there were too many. */
  findings_left_out: number;
  remarks: string[];
  elapsed_ms: number;
  events_per_second: number;
};

const whole = (value: number): string => value.toLocaleString('en');

export function reportLines(report: VerificationReport): string[] {
  const { log, checkpoints, findings, findings_left_out: leftOut, remarks, verified } = report;
  const seconds = (report.elapsed_ms / 1000).toFixed(1);
  const last = log.last_position === null ? '' : `, the last at position ${log.last_position}`;
  return [
    `Read ${log.source}: ${whole(log.events)} events${last} (${seconds} s, ${whole(report.events_per_second)} a second).`,
    ...checkpoints.map(({ source, verified: fits, size, signed_by: by, cosigned_by: cosigners }) => {
      const witnesses = cosigners.map(({ name, at }) => `, cosigned by ${name} at ${at}`).join('');
      return fits
        ? `  ok    ${source}: ${whole(size ?? 0)} events, signed by ${by.join(', ')}${witnesses}`
        : `  WRONG ${source}${size === null ? '' : `: ${whole(size)} events`}`;
    }),
    ...findings.map(({ code, message }) => `  ${code}: ${message}`),
    ...(leftOut === 0 ? [] : [`  and ${whole(leftOut)} more`]),
    ...remarks.map((remark) => `  Note: ${remark}`),
    verified ? 'The log is verified.' : 'The log is NOT verified.',
  ].map(printable);
}
