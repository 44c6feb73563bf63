import type { ReplayReport, RowDifference } from '@agent-trust/projections';

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const fieldCharsMax = 200;
const shortened = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length <= fieldCharsMax ? text : `${text.slice(0, fieldCharsMax)}…`;
};

/** A differing row: its key columns are among the equal ones, so all short equal fields of it name it, then each field that differs. */
const differenceLines = ({ table, live, replayed }: RowDifference): string[] => {
  if (live === null) return [`  ${table}: only replayed ${shortened(replayed)}`];
  if (replayed === null) return [`  ${table}: only live ${shortened(live)}`];
  const differing = Object.keys(replayed).filter(
    (field) => JSON.stringify(live[field]) !== JSON.stringify(replayed[field]),
  );
  const same = Object.fromEntries(
    Object.entries(replayed).filter(([field, value]) => !differing.includes(field) && typeof value !== 'object'),
  );
  return [
    `  ${table}: ${shortened(same)}`,
    ...differing.map((field) => `    ${field}: live ${shortened(live[field])}, replayed ${shortened(replayed[field])}`),
  ];
};

/** What a replay did, for people. */
export function reportLines(report: ReplayReport): string[] {
  const { comparison } = report;
  const lines = [
    `Replayed ${whole(report.events)} events in ${(report.durationMs / 1000).toFixed(1)} s (${whole(report.eventsPerSecond)} a second).`,
  ];
  if (comparison === null) lines.push('The live read models were of another version: nothing was compared.');
  else if (comparison.position === null) lines.push('The live read models were empty: there was nothing to compare.');
  else {
    const at = `at position ${comparison.position}`;
    lines.push(
      comparison.rowsDiffering === 0
        ? `Compared ${whole(comparison.rows)} rows of ${comparison.tables.length} tables with the live ones ${at}: all are equal.`
        : `Compared with the live read models ${at}: ${whole(comparison.rowsDiffering)} rows differ.`,
    );
    for (const { table, rowsDiffering } of comparison.tables) {
      if (rowsDiffering > 0) lines.push(`  ${table}: ${whole(rowsDiffering)} rows differ`);
    }
    if (comparison.differences.length > 0) {
      lines.push(`The first ${comparison.differences.length}:`, ...comparison.differences.flatMap(differenceLines));
    }
  }
  lines.push(
    report.switched
      ? 'The new read models are live now.'
      : 'Nothing was switched; the live read models are as they were. If the code of the projections was changed on purpose, repeat with --accept-differences.',
  );
  return lines;
}
