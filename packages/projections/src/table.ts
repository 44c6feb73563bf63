/** Postgres types that a read model's columns may have, and what each is in code. */
export type ColumnType =
  | 'text' // string
  | 'integer' // number
  | 'double precision' // number
  | 'boolean' // boolean
  | 'bigint' // bigint
  | 'timestamptz' // Date, millisecond precision
  | 'text[]' // string[]
  | 'jsonb'; // any JSON value

export type KeyPart = string | number | bigint;

export type RangeIndex<Row> = {
  /** Rows are asked for one group at a time, by this column … */
  group: keyof Row & string;
  /** … and up to a value of this one; an index on (group, order) must exist. */
  order: keyof Row & string;
};

/**
 * A table of a read model as its projections see it. Property names are camelCase here and snake_case in SQL; this is the
 * one place that maps them. Rows are immutable: a projection puts a new object instead of changing one that it got.
 */
export type Table<Row extends object> = {
  name: string;
  columns: { readonly [Property in keyof Row & string]: ColumnType };
  /** The primary key. Replay compares rows by it, so every table has one. */
  key: readonly (keyof Row & string)[];
  /** Rows are only ever inserted. A second insert of a key is then an error instead of an update. */
  appendOnly: boolean;
  range: RangeIndex<Row> | null;
  /** Its rows depend on what the build is for (`ReadModel.forSchema`), so builds for different things are not compared by it. */
  variesWithBuild: boolean;
};

/** A table whose row type does not matter to who holds it (the engine's own lists and maps). */
// The engine moves rows without looking into them; only a projection knows their type.
export type AnyTable = Table<Record<string, unknown>>;

/**
 * Declares a table.
 *
 * @param definition name and columns as in its `schema.sql`; `key` in the order of the primary key
 */
export function defineTable<Row extends object>(definition: {
  name: string;
  columns: { readonly [Property in keyof Row & string]: ColumnType };
  key: readonly (keyof Row & string)[];
  appendOnly?: boolean;
  range?: RangeIndex<Row>;
  variesWithBuild?: boolean;
}): Table<Row> {
  return {
    name: definition.name,
    columns: definition.columns,
    key: definition.key,
    appendOnly: definition.appendOnly ?? false,
    range: definition.range ?? null,
    variesWithBuild: definition.variesWithBuild ?? false,
  };
}

export function anyTable<Row extends object>(table: Table<Row>): AnyTable {
  return table as unknown as AnyTable;
}

export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

// No text of the system holds U+0000 (Postgres could not store it), so it separates the parts of a key without ambiguity.
export function keyText(parts: readonly KeyPart[]): string {
  if (parts.length === 1) return String(parts[0]);
  return parts.length === 2 ? `${parts[0]}\u0000${parts[1]}` : parts.join('\u0000');
}

/** The parts of a key, as text, from what `keyText` made of them. */
export function keyParts(text: string): readonly string[] {
  return text.split('\u0000');
}

/** The primary key of a row, as `keyText` makes it. */
export function rowKey(table: AnyTable, row: Readonly<Record<string, unknown>>): string {
  const [first, second, third] = table.key;
  if (first === undefined || third !== undefined) return keyText(table.key.map((property) => row[property] as KeyPart));
  return second === undefined ? String(row[first]) : `${row[first] as KeyPart}\u0000${row[second] as KeyPart}`;
}
