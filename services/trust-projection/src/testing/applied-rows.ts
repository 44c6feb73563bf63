import { type AnyTable, keyText, rowKey, type Rows, type Table } from '@agent-trust/projections';
import { type ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { registryReadModel } from '../projector/read-models/registry-read-model.ts';
import type { MadeEvent } from './made-events.ts';

type Row = Record<string, unknown>;

/** The read models of a log in plain maps, without a database. */
export type AppliedRows = {
  apply(made: MadeEvent, recordedAt: Date): void;
  rowsOf<Row extends object>(table: Table<Row>): Row[];
};

export async function appliedRows(): Promise<AppliedRows> {
  const { projections } = await registryReadModel();
  const tables = new Map<AnyTable, Map<string, Row>>();
  /** The rows that the present event has changed, as they were before it. */
  const before = new Map<AnyTable, Map<string, Row | undefined>>();
  const of = <Value>(maps: Map<AnyTable, Map<string, Value>>, table: AnyTable): Map<string, Value> => {
    let found = maps.get(table);
    if (found === undefined) maps.set(table, (found = new Map()));
    return found;
  };
  const set = (table: AnyTable, key: string, row: Row | undefined): void => {
    const former = of(before, table);
    if (!former.has(key)) former.set(key, of(tables, table).get(key));
    if (row === undefined) of(tables, table).delete(key);
    else of(tables, table).set(key, row);
  };
  const rows = {
    get: (table: AnyTable, ...key: string[]) => of(tables, table).get(keyText(key)),
    getBefore: (table: AnyTable, ...key: string[]) => {
      const text = keyText(key);
      const former = of(before, table);
      return former.has(text) ? former.get(text) : of(tables, table).get(text);
    },
    selectRange: (table: AnyTable, group: string, upTo: Date | number) =>
      [...of(tables, table).values()].filter(
        (row) => row[table.range?.group ?? ''] === group && Number(row[table.range?.order ?? '']) <= Number(upTo),
      ),
    put: (table: AnyTable, row: Row) => set(table, rowKey(table, row), row),
    insert: (table: AnyTable, row: Row) => set(table, rowKey(table, row), row),
    delete: (table: AnyTable, ...key: string[]) => set(table, keyText(key), undefined),
  } as unknown as Rows;
  let position = 0n;
  return {
    apply: ({ stream, event, actor }, recordedAt) => {
      position += 1n;
      before.clear();
      const eventId = `event ${position}`;
      const projected = { ...event, eventId, stream, revision: 0n, position, recordedAt, actor: actor ?? null };
      for (const projection of projections) projection.apply(projected as ProjectedRegistryEvent, rows);
    },
    rowsOf: (table) => [...of(tables, table).values()] as never,
  };
}
