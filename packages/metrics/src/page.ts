import { exportedName } from './names.ts';
import { type MetricRow, serviceNames } from './row.ts';
import { logRows } from './table/log.ts';
import { processRows } from './table/process.ts';
import { requestRows } from './table/requests.ts';

const begin = '<!-- The tables: made from packages/metrics/src/table. -->';
const end = '<!-- End of the tables. -->';
const everywhere = 'all';

/** The page with the tables of the code in the place of its own. @throws if the page has no such place */
export function renewedPage(page: string): string {
  const [head, rest] = halves(page, begin);
  const [, tail] = halves(rest, end);
  return `${head}${begin}\n\n${renderTables()}\n${end}${tail}`;
}

const halves = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`docs/metrics.md has no line '${mark}'`);
  return [text.slice(0, at), text.slice(at + mark.length)];
};

const renderTables = (): string =>
  [
    section('Requests, calls and payments', requestRows),
    section('Writes, projection, log and dependencies', logRows),
    section('Each process', processRows),
  ].join('\n');

const section = (title: string, rows: Readonly<Record<string, MetricRow>>): string =>
  [
    `### ${title}\n`,
    '| metric | in Prometheus | kind, unit | attributes | services |',
    '|---|---|---|---|---|',
    ...Object.entries(rows).map(([name, row]) => line(name, row)),
    '',
  ].join('\n');

const line = (name: string, row: MetricRow): string => {
  const attributes = Object.entries(row.attributes).map(([key, { text }]) => `\`${key}\`: ${text}`);
  const services = row.services.length === serviceNames.length ? everywhere : row.services.join(', ');
  const kind = `${row.kind.replaceAll('_', ' ')}${row.unit === '' ? '' : `, \`${row.unit}\``}`;
  const shown = `\`${exportedName(name, row)}\``;
  return `| \`${name}\`: ${row.description} | ${shown} | ${kind} | ${attributes.join('; ') || '–'} | ${services} |`;
};
