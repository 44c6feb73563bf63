import { type Aim, aimLine, isMet } from './aims.ts';
import type { ConsoleBench, PageFigures } from './console.ts';
import { median } from './telemetry/paired.ts';

const kibibyte = 1024;
const heading = '## The console';

const times = (values: readonly number[]): string =>
  values.length === 0 ? '' : `${median(values).toFixed(0)} ms, ${Math.max(...values).toFixed(0)} ms`;
const seconds = (values: readonly number[]): string => `${median(values).toFixed(1)} s`;

const row = ({ name, bytes, cold, again, opened }: PageFigures): string =>
  `| ${[name, `${(bytes / kibibyte).toFixed(0)} KiB`, times(cold), times(again), times(opened)].join(' | ')} |`;

/** Whether the aims of the console are met. */
export function consoleAims({ pages, contrast, starts }: ConsoleBench): Aim[] {
  const laterMore = starts.later.map((seconds, round) => seconds - (starts.without[round] ?? seconds));
  return [
    ['first page with most to load, KiB compressed', '≤', 200, Math.max(...pages.map(({ bytes }) => bytes)) / kibibyte],
    ['lowest contrast of a text, to 1', '≥', 4.5, contrast.lowest],
    [
      'slowest page from an empty cache, ms at the median',
      '≤',
      1_000,
      Math.max(...pages.filter(({ cold }) => cold.length > 0).map(({ cold }) => median(cold))),
    ],
    [
      'first start, which builds the console: s more than without it',
      '≤',
      15,
      median(starts.first) - median(starts.without),
    ],
    // The machine is not the same for minutes: pairs that follow each other are.
    ['later starts: s more than the start without it beside each, at the median', '≤', 0.5, median(laterMore)],
  ];
}

export function meetsAims(bench: ConsoleBench): boolean {
  return consoleAims(bench).every(isMet);
}

/** The section of the report; says so where there was no browser. */
export function consoleSection(bench: ConsoleBench | null): string {
  if (bench === null) return [heading, '', 'Not measured: there was no Chromium on the PATH.'].join('\n');
  const { date, load, processors, pages, contrast, starts } = bench;
  return [
    heading,
    '',
    `On ${date}, with ${processors} processors and, before the run, a load of ${load.toFixed(1)} by others. Chromium on the same machine, ${pages[0]?.cold.length ?? 0} times each;`,
    'median and slowest until the data is shown. A page that needs a key has no address that brings it.',
    '',
    '| page | to load as the first page, compressed | from an empty cache | loaded again | opened by its link |',
    '|---|---|---|---|---|',
    ...pages.map(row),
    '',
    `Of ${contrast.measured.toLocaleString('en')} texts, light and dark, the lowest contrast is ${contrast.lowest.toFixed(2)} to 1${contrast.unknown === 0 ? '' : ` (${contrast.unknown} could not be measured)`}.`,
    `A start on an empty data folder takes ${seconds(starts.without)} with \`CONSOLE=off\`, ${seconds(starts.first)} when it builds the console first, and ${seconds(starts.later)} later (median of ${starts.later.length}).`,
    '',
    ...consoleAims(bench).map(aimLine),
  ].join('\n');
}
