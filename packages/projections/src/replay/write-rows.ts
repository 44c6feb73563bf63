import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { TableWrites } from '../held-table.ts';
import { projectionLimits } from '../limits.ts';
import { changeStatements } from '../row-sql.ts';
import { type AnyTable, columnName, quoteIdentifier } from '../table.ts';
import { CopiedRows } from './copied-rows.ts';

/**
 * Writes rows in bulk, new ones by COPY, and creates the indexes of complete tables; each table on the next free session.
 *
 * @throws database errors, when all sessions have stopped
 */
export function writeRows(
  sessions: readonly ClientBase[],
  taken: ReadonlyMap<AnyTable, TableWrites>,
  indexes: ReadonlyMap<AnyTable, readonly { make: string }[]> = new Map(),
): Promise<void> {
  return shareOut(sessions, new Set([...taken.keys(), ...indexes.keys()]), async (client, table) => {
    const { copies, upserts, deletes, copied = [] } = taken.get(table) ?? nothing;
    for (const statement of changeStatements(table, { upserts, deletes })) await client.query(statement);
    if (copied.length > 0) await copyInto(client, table, copied);
    const { rowsPerCopyMax } = projectionLimits;
    for (let from = 0; from < copies.length; from += rowsPerCopyMax) {
      await copyInto(client, table, copiesOf(table, copies.slice(from, from + rowsPerCopyMax)));
    }
    for (const { make } of indexes.get(table) ?? []) await client.query(make);
  });
}

const nothing: TableWrites = { copies: [], upserts: [], deletes: [] };

const copiesOf = (table: AnyTable, rows: readonly Readonly<Record<string, unknown>>[]): readonly Buffer[] => {
  const copied = new CopiedRows(table);
  for (const row of rows) copied.add(row);
  return copied.take();
};

const copyInto = async (client: ClientBase, table: AnyTable, chunks: readonly Buffer[]): Promise<void> => {
  const columns = Object.keys(table.columns).map((property) => quoteIdentifier(columnName(property)));
  const copy = `COPY ${quoteIdentifier(table.name)} (${columns.join(', ')}) FROM STDIN (FORMAT binary)`;
  await pipeline(Readable.from(chunks, { objectMode: false }), client.query(copyFrom(copy)));
};

/**
 * Gives each piece of work, in order, to the next free worker. After a failure no other piece is started.
 *
 * @throws the first failure, after every worker has stopped
 */
export async function shareOut<Worker, Work>(
  workers: readonly Worker[],
  work: Iterable<Work>,
  run: (worker: Worker, piece: Work) => Promise<void>,
): Promise<void> {
  const pieces = [...work].values();
  let hasFailed = false;
  const runAll = async (worker: Worker): Promise<void> => {
    for (let next = pieces.next(); next.done !== true && !hasFailed; next = pieces.next()) {
      try {
        await run(worker, next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(workers.map(runAll));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
