import type { AnyTable, ColumnType } from '../table.ts';
import { isoTime } from './iso-time.ts';

type Encode = (value: unknown) => string;

const special = /[\\\b\f\n\r\t\v]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const everySpecial = /[\\\b\f\n\r\t\v]/g;

const escaped = (text: string): string =>
  special.test(text) ? text.replace(everySpecial, (character) => escapes[character] ?? character) : text;

const arrayItem = (item: string | null): string =>
  item === null ? 'NULL' : `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const encoders: Readonly<Record<ColumnType, Encode>> = {
  text: (value) => escaped(value as string),
  integer: String,
  'double precision': String,
  boolean: (value) => (value === true ? 't' : 'f'),
  bigint: String,
  timestamptz: (value) => (value instanceof Date ? isoTime(value) : escaped(String(value))),
  'text[]': (value) => escaped(`{${(value as (string | null)[]).map(arrayItem).join(',')}}`),
  // JSON has no control characters.
  jsonb: (value) => JSON.stringify(value).replaceAll('\\', '\\\\'),
};

/**
 * A function that writes a row of a table in the text format of COPY, line end included, its columns in the order of `table.columns`.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html "Text Format"
 */
export function copyLineOf(table: AnyTable): (row: Readonly<Record<string, unknown>>) => string {
  const columns = Object.entries(table.columns).map(([property, type]) => ({ property, encode: encoders[type] }));
  return (row) => {
    let line = '';
    let separator = '';
    for (const { property, encode } of columns) {
      const value = row[property];
      line += separator + (value === null || value === undefined ? '\\N' : encode(value));
      separator = '\t';
    }
    return `${line}\n`;
  };
}
