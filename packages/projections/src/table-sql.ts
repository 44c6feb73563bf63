import { columnName, quoteIdentifier, type AnyTable } from './table.ts';

/**
 * The statements of one table. Each takes one JSON parameter that holds all rows or keys, so that a batch is one round trip.
 *
 * A writer's session plans a statement once. So nothing here leaves a choice to statistics, which may be those of an empty table: each key
 * is looked up in the index. A plain join would read the whole table for each batch, and go on doing so while the table grows.
 */
type TableSql = {
  selectByKey: string;
  selectRange: string | null;
  /** For each group the least order value above a bound. */
  selectNextOrder: string | null;
  upsert: string;
  insert: string;
  deleteByKey: string;
};

const sqlCache = new WeakMap<AnyTable, TableSql>();

/** The statements of a table, made once. */
export function tableSql(table: AnyTable): TableSql {
  const known = sqlCache.get(table);
  if (known !== undefined) return known;
  const made = makeSql(table);
  sqlCache.set(table, made);
  return made;
}

const makeSql = (table: AnyTable): TableSql => {
  const name = quoteIdentifier(table.name);
  const properties = Object.keys(table.columns);
  const column = (property: string): string => quoteIdentifier(columnName(property));
  const typed = (property: string, alias = property): string => `${quoteIdentifier(alias)} ${table.columns[property]}`;
  const isKey = (property: string): boolean => table.key.includes(property);

  const columnList = properties.map(column).join(', ');
  const selectList = properties.map((property) => `t.${column(property)} AS ${quoteIdentifier(property)}`).join(', ');
  const recordList = properties.map((property) => `r.${quoteIdentifier(property)}`).join(', ');
  const recordset = `json_to_recordset($1::json) AS r(${properties.map((property) => typed(property)).join(', ')})`;
  const keyset = `json_to_recordset($1::json) AS k(${table.key.map((property) => typed(property)).join(', ')})`;
  const keyMatch = table.key.map((property) => `t.${column(property)} = k.${quoteIdentifier(property)}`).join(' AND ');
  /** LIMIT and OFFSET keep the planner from making a plain join of it. */
  const eachKey = (wanted: string): string =>
    `${keyset} CROSS JOIN LATERAL (SELECT ${wanted} FROM ${name} t WHERE ${keyMatch} LIMIT 1) t`;
  const updates = properties
    .filter((property) => !isKey(property))
    .map((property) => `${column(property)} = EXCLUDED.${column(property)}`)
    .join(', ');

  const insert = `INSERT INTO ${name} (${columnList}) SELECT ${recordList} FROM ${recordset}`;
  const { range } = table;
  return {
    selectByKey: `SELECT ${selectList} FROM ${eachKey('t.*')}`,
    selectRange:
      range === null
        ? null
        : `SELECT ${selectList} FROM json_to_recordset($1::json) AS k(${typed(range.group, 'group')}, ${typed(range.order, 'upTo')}) ` +
          `CROSS JOIN LATERAL (SELECT * FROM ${name} t
             WHERE t.${column(range.group)} = k."group" AND t.${column(range.order)} <= k."upTo" OFFSET 0) t`,
    selectNextOrder:
      range === null
        ? null
        : `SELECT k."group", (SELECT min(t.${column(range.order)}) FROM ${name} t
             WHERE t.${column(range.group)} = k."group" AND t.${column(range.order)} > k."upTo") AS "next"
           FROM json_to_recordset($1::json) AS k(${typed(range.group, 'group')}, ${typed(range.order, 'upTo')})`,
    upsert: `${insert} ON CONFLICT (${table.key.map(column).join(', ')}) DO ${updates === '' ? 'NOTHING' : `UPDATE SET ${updates}`}`,
    insert,
    deleteByKey: `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT t.ctid FROM ${eachKey('t.ctid')}))`,
  };
};
