import { type Aim, aimLine, isMet } from '../aims.ts';
import { type Interval, median, medianOfPairs } from './paired.ts';
import { type Route, routes } from './routes.ts';

export const telemetryHeading = '## Telemetry';

/** By how much telemetry may add to the processor time of a request, in percent. */
const addedMax = 5;

export const subjects = ['metrics', 'metrics and traces'] as const;
export type Subject = (typeof subjects)[number];

/** Processor time of the services for one request, in two turns beside each other. */
export type Pair = {
  withoutMs: number;
  withMs: number;
  /** Its share of reading the metrics and of sending spans now and then, which is not in `withMs`. */
  exportMs: number;
};

export type TelemetryBench = {
  date: string;
  /** How many processes the machine had to run for others before (the average of a minute), and on how many processors. */
  load: number;
  processors: number;
  requestsPerTurn: Readonly<Record<Route, number>>;
  /** By start. */
  pairs: Record<Subject, Record<Route, Pair[][]>>;
};

/** What telemetry adds, in percent of a request without it. */
const addedOf = (starts: readonly (readonly Pair[])[]): Interval => {
  const {
    median: middle,
    lower,
    upper,
  } = medianOfPairs(
    starts.map((pairs) => pairs.map(({ withoutMs, withMs, exportMs }) => (withMs + exportMs) / withoutMs)),
  );
  return { median: percentOf(middle), lower: percentOf(lower), upper: percentOf(upper) };
};
const percentOf = (ratio: number): number => (ratio - 1) * 100;

type Row = { subject: Subject; route: Route; starts: readonly (readonly Pair[])[]; added: Interval };

const rowsOf = ({ pairs }: TelemetryBench): Row[] =>
  routes.flatMap((route) =>
    subjects.map((subject) => ({
      subject,
      route,
      starts: pairs[subject][route],
      added: addedOf(pairs[subject][route]),
    })),
  );

const aimOf = ({ subject, route, added }: Row): Aim => [
  `${subject}: at most added to \`${route}\`, %`,
  '<',
  addedMax,
  added.upper,
];

const line = ({ subject, route, starts, added }: Row): string => {
  const pairs = starts.flat();
  const microseconds = (digits: number, of: (pair: Pair) => number): string =>
    `${(median(pairs.map(of)) * 1_000).toFixed(digits)} µs`;
  const cells = [
    `\`${route}\``,
    subject,
    `${pairs.length}, ${starts.length}`,
    microseconds(0, ({ withoutMs }) => withoutMs),
    microseconds(0, ({ withMs, exportMs }) => withMs + exportMs),
    microseconds(1, ({ exportMs }) => exportMs),
    `${added.median.toFixed(1)} %`,
    `${added.lower.toFixed(1)} % to ${added.upper.toFixed(1)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
};

/** Whether each upper bound is below the aim. */
export function meetsAims(bench: TelemetryBench): boolean {
  return rowsOf(bench).map(aimOf).every(isMet);
}

/** The section of the report. */
export function telemetrySection(bench: TelemetryBench): string {
  const { date, load, processors, requestsPerTurn } = bench;
  const rows = rowsOf(bench);
  return [
    telemetryHeading,
    '',
    `On ${date}, with ${processors} processors and, before the run, a load of ${load.toFixed(1)} by others: what \`npm run bench -- telemetry\` found that metrics, and metrics with`,
    'traces at the default sampling, add to the processor time of the services for a request.',
    '',
    `Both sides are the same processes, whose telemetry is switched on and off for turns of ${requestsPerTurn['/verify'].toLocaleString('en')} \`/verify\` or ${requestsPerTurn['/call'].toLocaleString('en')} \`/call\`, in the order ABBA:`,
    'two starts of the same code differ by more than what is measured. Reading the metrics every 15 seconds',
    '(`/metrics`, and with traces the export, too), in processes that have been read for ten minutes, and sending spans every two seconds were measured apart, and their share is added. The metrics had counted exactly the requests of',
    'the turns with telemetry, and no other turn made a span of a request. What both sides have alike is not in the figures: a branch and the reading of a',
    'clock for each value, and the memory of the loaded code. All processors were kept busy, since work takes longer where two of them share a core.',
    'The interval is a bootstrap over starts and pairs.',
    '',
    '| route | with | pairs, starts | without, a request | with, a request | of it exports | added, median | 95 % interval |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(line),
    '',
    ...rows.map((row) => aimLine(aimOf(row))),
  ].join('\n');
}
