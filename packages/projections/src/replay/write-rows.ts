import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase, QueryConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { projectionLimits } from '../limits.ts';
import { prepareDeletes, prepareInserts, prepareUpserts } from '../row-write.ts';
import { columnName, quoteIdentifier, type AnyTable } from '../table.ts';
import { copyLineOf } from './copy-text.ts';
import type { TableWrites } from './held-table.ts';
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

/** The same as statements, for a transaction that somebody else has begun. */
export function rowStatements(taken: ReadonlyMap<AnyTable, TableWrites>): QueryConfig[] {
  return [...taken].flatMap(([table, writes]) => [
    ...changeStatements(table, writes),
    ...statementsOf(writes.copies, (rows) => prepareInserts(table, rows)),
  ]);
}

/** One by one, so that no more than one of them need be in memory. */
function* changeStatements(
  table: AnyTable,
  { upserts, deletes }: Pick<TableWrites, 'upserts' | 'deletes'>,
): Generator<QueryConfig> {
  yield* statementsOf(deletes, (keys) => prepareDeletes(table, keys));
  yield* statementsOf(upserts, (rows) => prepareUpserts(table, rows));
}

/** A statement for so many at a time: they go as one JSON text, and no text may be of any length. */
function* statementsOf<Item>(
  items: readonly Item[],
  prepare: (items: readonly Item[]) => QueryConfig | null,
): Generator<QueryConfig> {
  const { rowsPerStatementMax } = projectionLimits;
  for (let from = 0; from < items.length; from += rowsPerStatementMax) {
    const statement = prepare(items.slice(from, from + rowsPerStatementMax));
    if (statement !== null) yield statement;
  }
}

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
