import type { QueryConfig } from 'pg';
import { type Checkpoint, fence, type ReachedEvent } from './checkpoint.ts';
import type { TableWrites } from './held-table.ts';
import { projectionLimits } from './limits.ts';
import { rowsJson } from './row-sql.ts';
import { tableSql } from './table-sql.ts';
import type { AnyTable } from './table.ts';

/** The rows of a batch, ready to be sent. */
export type BatchStatement = (expected: Checkpoint, reached: ReachedEvent) => QueryConfig;

type Part = { table: AnyTable; kind: 'insert' | 'upsert' };

/** Over all writers, because several may use one connection, where a name means one text. */
let namesGiven = 0;

/**
 * Makes the rows of a batch one statement, which is a transaction by itself: the fence, and a part for each table. A lone event's batch costs
 * as much in the database as its statements are many. Statements are prepared by the tables that they write, up to a limit.
 *
 * @returns null for a batch with deletes, because Postgres may run the parts in any order, and with more rows than a statement may have
 */
export function batchStatements(schema: string): (taken: ReadonlyMap<AnyTable, TableWrites>) => BatchStatement | null {
  const prepared = new Map<string, { name: string; text: string }>();
  const statementOf = (parts: readonly Part[]): { name?: string; text: string } => {
    const key = parts.map(({ table, kind }) => `${kind} ${table.name}`).join(', ');
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const text = textOf(parts);
    // The database keeps each prepared statement as long as the connection lasts.
    if (prepared.size >= projectionLimits.batchStatementsMax) return { text };
    namesGiven += 1;
    const named = { name: `batch-${namesGiven}`, text };
    prepared.set(key, named);
    return named;
  };
  return (taken) => {
    const parts: Part[] = [];
    const rows: string[] = [];
    for (const [table, { copies, upserts, deletes }] of taken) {
      const count = copies.length + upserts.length;
      if (deletes.length > 0 || count > projectionLimits.rowsPerStatementMax) return null;
      if (count === 0) continue;
      // The changed rows come first: a value of a unique column may move from one of them to a new row.
      parts.push({ table, kind: upserts.length > 0 ? 'upsert' : 'insert' });
      rows.push(rowsJson(table, [...upserts, ...copies]));
    }
    const statement = statementOf(parts);
    return (expected, reached) => ({
      ...statement,
      values: [...fence.values(schema, expected, reached), ...rows],
    });
  };
}

const textOf = (parts: readonly Part[]): string => {
  const writes = parts.map(({ table, kind }, index) => {
    const parameter = `$${fence.parameters + index + 1}::json`;
    return `, part_${index} AS (${tableSql(table)[kind].replace('$1::json', parameter)})`;
  });
  return `WITH moved AS (${fence.moved})${writes.join('')} ${fence.result}`;
};
