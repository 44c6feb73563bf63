import type { VerificationReport } from './finding.ts';
import { printable } from '@agent-trust/command-line';

const whole = (value: number): string => value.toLocaleString('en');

/** A report for people. */
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
