import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase, QueryConfig } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { prepareDeletes, prepareInserts, prepareUpserts } from '../row-write.ts';
import { columnName, quoteIdentifier, type AnyTable } from '../table.ts';
import { copyLineOf } from './copy-text.ts';
import type { TableWrites } from './held-table.ts';

const chunkChars = 256 * 1024;

/** Writes rows in bulk: new ones by COPY. @throws database errors */
export const writeRows = async (client: ClientBase, taken: ReadonlyMap<AnyTable, TableWrites>): Promise<void> => {
  for (const [table, { copies, upserts, deletes }] of taken) {
    for (const statement of [prepareDeletes(table, deletes), prepareUpserts(table, upserts)]) {
      if (statement !== null) await client.query(statement);
    }
    if (copies.length > 0) await copyRows(client, table, copies);
  }
};

/** The same as statements, for a transaction that somebody else has begun. */
export const rowStatements = (taken: ReadonlyMap<AnyTable, TableWrites>): QueryConfig[] =>
  [...taken].flatMap(([table, { copies, upserts, deletes }]) =>
    [prepareDeletes(table, deletes), prepareUpserts(table, upserts), prepareInserts(table, copies)].flatMap(
      (statement) => statement ?? [],
    ),
  );

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
