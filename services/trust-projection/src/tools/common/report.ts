import type { ReplayProgress, ReplayReport, RowDifference } from '@agent-trust/projections';

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const seconds = (ms: number): string => {
  const rounded = Math.ceil(ms / 1000);
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
};

/** How far a replay is, in words. `verb` names the building. */
export function progressText(progress: ReplayProgress, verb = 'Building'): string {
  const { phase, events, eventsTotal, fraction, eventsPerSecond, remainingMs } = progress;
  if (phase === 'compare') return 'Comparing every row with the live read models…';
  if (phase === 'switch' && (events === 0 || fraction === 1)) return 'Switching to the new read models…';
  if (events === 0) return `${verb} beside the live read models…`;
  const share = `${whole(events)} of ${whole(eventsTotal)} events (${Math.floor(fraction * 100)} %)`;
  const remaining = remainingMs === null ? '' : `, ${seconds(remainingMs)} left`;
  return `${phase === 'build' ? verb : 'Catching up'}: ${share}, ${whole(eventsPerSecond)} a second${remaining}`;
}

const lineEveryMs = 1_000;
const eraseLine = '\r\u001b[2K';

/** Shows progress on one line of a terminal, else as a line each second and at each new phase. */
export function progressLines(
  stream: { write: (text: string) => unknown; isTTY?: boolean },
  verb = 'Building',
  now = (): number => performance.now(),
): { show: (progress: ReplayProgress) => void; end: () => void } {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownPhase: string | null = null;
  let isLineOpen = false;
  return {
    show: (progress) => {
      const text = progressText(progress, verb);
      if (stream.isTTY === true) {
        stream.write(`${eraseLine}${text}`);
        isLineOpen = true;
        return;
      }
      if (progress.phase === shownPhase && now() - shownAt < lineEveryMs) return;
      shownAt = now();
      shownPhase = progress.phase;
      stream.write(`${text}\n`);
    },
    end: () => {
      if (isLineOpen) stream.write(eraseLine);
      isLineOpen = false;
    },
  };
}

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
