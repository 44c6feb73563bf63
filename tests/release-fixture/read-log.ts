import type { EventMetadata, JsonObject } from '@agent-trust/event-log';
import type { TableData } from './dump-database.ts';
import type { FixtureFiles } from './fixture-files.ts';

export type FixtureEvent = { type: string; data: JsonObject; metadata: EventMetadata };

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** A cell as COPY writes it, with its backslashes resolved. */
const unescaped = (cell: string): string =>
  cell.replaceAll(/\\(.)/gsu, (_all, letter: string) => escapes[letter] ?? letter);

/** The events that a release wrote, in the order of the log. */
export function readLogOf(files: FixtureFiles): FixtureEvent[] {
  const tables = JSON.parse(files.readCompressed('data/rows.json.zst')) as TableData[];
  return eventsIn(tables);
}

export function eventsIn(tables: readonly TableData[]): FixtureEvent[] {
  const events = tables.find(({ table }) => table.startsWith('"event_log"."events" '));
  if (events === undefined) throw new Error('the fixture has no table of events');
  const columns = /\((.*)\)$/u.exec(events.table)?.[1]?.split(', ') ?? [];
  const [type, data, metadata] = ['type', 'data', 'metadata'].map((name) => columns.indexOf(name)) as [
    number,
    number,
    number,
  ];
  return events.rows
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(unescaped))
    .map((cells) => ({
      type: cells[type] ?? '',
      data: JSON.parse(cells[data] ?? '') as JsonObject,
      metadata: JSON.parse(cells[metadata] ?? '') as EventMetadata,
    }));
}
