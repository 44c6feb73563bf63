import type { RecordedEvent } from '@agent-trust/event-log';
import type { TableWrites } from '../held-table.ts';
import type { Rows } from '../projection.ts';
import { rowStatements } from '../row-sql.ts';
import { createSchema } from '../schema.ts';
import { openWriterSession } from '../session.ts';
import { type AnyTable, keyText, rowKey } from '../table.ts';
import { bankReadModel } from './bank.ts';
import type { Fixture } from './fixture.ts';

type Row = Record<string, unknown>;

/** The oracle of the writers: applies the events one by one to plain maps, and inserts the resulting rows at the end. */
export async function plainBankRows(fixture: Fixture, schema: string, log: readonly RecordedEvent[]): Promise<unknown> {
  const readModel = await bankReadModel();
  const tables = new Map<AnyTable, Map<string, Row>>();
  const of = (table: AnyTable): Map<string, Row> => {
    if (!tables.has(table)) tables.set(table, new Map());
    return tables.get(table)!;
  };
  const rows = {
    get: (table: AnyTable, ...key: string[]) => of(table).get(keyText(key)),
    selectRange: (table: AnyTable, group: string, upTo: Date) =>
      [...of(table).values()].filter(
        (row) => row[table.range!.group] === group && (row[table.range!.order] as Date) <= upTo,
      ),
    put: (table: AnyTable, row: Row) => of(table).set(rowKey(table, row), row),
    insert: (table: AnyTable, row: Row) => of(table).set(rowKey(table, row), row),
    delete: (table: AnyTable, ...key: string[]) => of(table).delete(keyText(key)),
  } as unknown as Rows;
  for (const event of log.flatMap((recorded) => readModel.decode(recorded) ?? []))
    for (const projection of readModel.projections) projection.apply(event, rows);
  const writes = new Map<AnyTable, TableWrites>();
  for (const [table, held] of tables) writes.set(table, { copies: [...held.values()], upserts: [], deletes: [] });
  const client = await openWriterSession(fixture.connection, schema);
  await createSchema(client, schema, readModel.schema);
  for (const statement of rowStatements(writes)) await client.query(statement);
  await client.end();
  return fixture.bankRows(schema);
}
