/**
 * Bug: a session plans its statements once. Planned while a table is empty, and known to be, a join of the wanted keys reads the whole table for
 * each of them, and goes on doing so while the table grows: following the archive of a million events took minutes instead of seconds.
 * Method: the server's plan of each statement, made on empty and analysed tables, and what it reads when the tables have grown.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWriterSession } from './session.ts';
import type { AnyTable } from './table.ts';
import { tableSql } from './table-sql.ts';
import { accounts, audits, deposits, movements } from './testing/bank.ts';
import { createFixture, type Fixture } from './testing/fixture.ts';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
};

const rowsInTable = 2_000;
let fixture: Fixture;
let client: pg.Client;
beforeAll(async () => {
  fixture = await createFixture();
  client = await openWriterSession(fixture.connection, 'read_models');
});
afterAll(async () => {
  await client.end();
  await fixture.close();
});

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
/** Rows that the nodes of a plan have taken from a table, or compared and thrown away. */
const rowsTouched = (plan: Plan): number =>
  nodesOf(plan).reduce((sum, node) => {
    const loops = node['Actual Loops'] ?? 0;
    const removed =
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    const taken = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] ?? 0);
    return sum + loops * (taken + removed);
  }, 0);

const wantedKeys = (table: AnyTable): object[] =>
  [7, 70, 700].map((n) =>
    Object.fromEntries(
      table.key.map((property) => [property, table.columns[property] === 'bigint' ? String(n) : `n${n}`]),
    ),
  );
/** Of groups with one row each; bounds as positions or as times, above or below all of them. */
const wantedRanges = (table: AnyTable, isAbove: boolean): object[] => {
  const [below, above] =
    table.range?.order === 'position' ? ['0', String(rowsInTable)] : ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  return [7, 70, 700].map((n) => ({ group: `n${n}`, upTo: isAbove ? above : below }));
};

const fill: Record<string, string> = {
  account: `INSERT INTO account SELECT 'n' || n, 0, 0, n, now(), '{}', null FROM generate_series(1, ${rowsInTable}) n`,
  deposit: `INSERT INTO deposit SELECT 'n' || n, 'n' || n, 0, now() FROM generate_series(1, ${rowsInTable}) n`,
  movement: `INSERT INTO movement SELECT n, 'n' || n, 0 FROM generate_series(1, ${rowsInTable}) n`,
  audit: `INSERT INTO audit SELECT 'n' || n, 0, 0, 0 FROM generate_series(1, ${rowsInTable}) n`,
};

it('no statement reads more than the rows that are wanted, however empty its table was when it was planned', async () => {
  const statements = [accounts, deposits, movements, audits].flatMap((table: AnyTable) => {
    const { selectByKey, deleteByKey, selectRange, selectNextOrder } = tableSql(table);
    return [
      { name: `load ${table.name}`, text: selectByKey, wanted: wantedKeys(table) },
      { name: `range ${table.name}`, text: selectRange, wanted: wantedRanges(table, true) },
      { name: `next ${table.name}`, text: selectNextOrder, wanted: wantedRanges(table, false) },
      { name: `delete ${table.name}`, text: deleteByKey, wanted: wantedKeys(table) },
    ].flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
  });
  await client.query('ANALYZE account, deposit, movement, audit');
  for (const { name, text } of statements) {
    await client.query(`PREPARE "${name}" AS ${text}`);
    // It is planned now.
    await client.query(`EXECUTE "${name}" ('[]')`);
  }
  for (const text of Object.values(fill)) await client.query(text);
  for (const { name, wanted } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE "${name}" ('${JSON.stringify(wanted)}')`,
    );
    const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
    if (explained === undefined) throw new Error('no plan');
    const touched = rowsTouched(explained.Plan);
    // A deleted row is found, fetched and deleted.
    expect({ name, touched, tooMany: touched > 3 * wanted.length }).toEqual({ name, touched, tooMany: false });
    expect({ name, touched }).not.toEqual({ name, touched: 0 });
  }
});
