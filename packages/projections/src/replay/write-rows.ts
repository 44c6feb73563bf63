import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { TableWrites } from '../held-table.ts';
import { changeStatements } from '../row-write.ts';
import { columnName, quoteIdentifier, type AnyTable } from '../table.ts';
import { copyLineOf } from './copy-text.ts';
import type { MakeIndexes } from './secondary-indexes.ts';
import { shareOut } from './share-out.ts';

const chunkChars = 256 * 1024;

/**
 * Writes rows in bulk, new ones by COPY, and makes the indexes of tables that get no more: each table over whichever session is free.
 *
 * @throws database errors, when all sessions have stopped
 */
export function writeRows(
  sessions: readonly ClientBase[],
  taken: ReadonlyMap<AnyTable, TableWrites>,
  indexes: MakeIndexes = new Map(),
): Promise<void> {
  return shareOut(sessions, new Set([...taken.keys(), ...indexes.keys()]), async (client, table) => {
    const { copies, upserts, deletes } = taken.get(table) ?? nothing;
    for (const statement of changeStatements(table, { upserts, deletes })) await client.query(statement);
    if (copies.length > 0) await copyRows(client, table, copies);
    for (const make of indexes.get(table) ?? []) await client.query(make);
  });
}

const nothing: TableWrites = { copies: [], upserts: [], deletes: [] };

const copyRows = async (
  client: ClientBase,
  table: AnyTable,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> => {
  const columns = Object.keys(table.columns).map((property) => quoteIdentifier(columnName(property)));
  const sink = client.query(copyFrom(`COPY ${quoteIdentifier(table.name)} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(copyChunks(table, rows), { objectMode: false }), sink);
};

/** Many lines at a time: a chunk for each would cost more than the line. */
function* copyChunks(table: AnyTable, rows: readonly Readonly<Record<string, unknown>>[]): Generator<Buffer> {
  const line = copyLineOf(table);
  let chunk = '';
  for (const row of rows) {
    chunk += line(row);
    if (chunk.length < chunkChars) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
