import type { RecordedEvent } from '@agent-trust/event-log';
import type { TableWrites } from '../held-table.ts';
import { rowStatements } from '../row-sql.ts';
import { createSchema } from '../schema.ts';
import { openWriterSession } from '../session.ts';
import type { AnyTable } from '../table.ts';
import { bankReadModel } from './bank.ts';
import type { Fixture } from './fixture.ts';
import { mapRows } from './map-rows.ts';

/** The oracle of the writers: applies the events one by one to plain maps, and inserts the resulting rows at the end. */
export async function plainBankRows(fixture: Fixture, schema: string, log: readonly RecordedEvent[]): Promise<unknown> {
  const readModel = await bankReadModel();
  const { rows, tables, beginEvent } = mapRows();
  for (const event of log.flatMap((recorded) => readModel.decode(recorded) ?? [])) {
    beginEvent();
    for (const projection of readModel.projections) projection.apply(event, rows);
  }
  const writes = new Map<AnyTable, TableWrites>();
  for (const [table, held] of tables) writes.set(table, { copies: [...held.values()], upserts: [], deletes: [] });
  const client = await openWriterSession(fixture.connection, schema);
  await createSchema(client, schema, readModel.schema);
  for (const statement of rowStatements(writes)) await client.query(statement);
  await client.end();
  return fixture.bankRows(schema);
}
