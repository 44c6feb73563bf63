/** Postgres types that a read model's columns may have, and what each is in code. A Date has millisecond precision. */
type ColumnValues = {
  text: string;
  integer: number;
  'double precision': number;
  boolean: boolean;
  bigint: bigint;
  timestamptz: Date;
  'text[]': readonly string[];
  jsonb: unknown;
};
export type ColumnType = keyof ColumnValues;

/** A column whose values have a narrower type in code than its Postgres type says. Made by `column`. */
export type TypedColumn<Value> = { type: ColumnType; readonly value?: Value };

/** How a table declares a column; `?` marks one that may be null. */
export type Column = ColumnType | `${ColumnType}?` | TypedColumn<unknown>;

/** A column of values that only the code knows the type of, such as those of a jsonb column. */
export function column<Value>(type: ColumnType): TypedColumn<Value> {
  return { type };
}

type ValueIn<Declared> =
  Declared extends TypedColumn<infer Value>
    ? Value
    : Declared extends ColumnType
      ? ColumnValues[Declared]
      : Declared extends `${infer Type extends ColumnType}?`
        ? ColumnValues[Type] | null
        : never;
type Columns = Readonly<Record<string, Column>>;
type RowWith<Declared extends Columns> = { -readonly [Property in keyof Declared]: ValueIn<Declared[Property]> };

export type KeyPart = string | number | bigint;

export type RangeIndex<Property extends string = string> = {
  /** Rows are asked for one group at a time, by this column … */
  group: Property;
  /** … and up to a value of this one; an index on (group, order) must exist. */
  order: Property;
};

/** A table whose row type does not matter to its holder: the engine moves rows without looking into them. */
export type AnyTable = {
  name: string;
  columns: Readonly<Record<string, ColumnType>>;
  /** The primary key. Replay compares rows by it, so every table has one. */
  key: readonly string[];
  /** Rows are only inserted; a second insert of a key is an error. */
  appendOnly: boolean;
  range: RangeIndex | null;
  /** Its rows depend on what the build is for (`ReadModel.forSchema`), so builds for different things are not compared by it. */
  variesWithBuild: boolean;
};

declare const rowType: unique symbol;
/**
 * A table of a read model. Property names are camelCase here and snake_case in SQL; only this file maps them. Rows are immutable: a
 * projection puts a new object instead of changing one.
 */
export type Table<Row extends object> = AnyTable & { readonly [rowType]?: Row };

/** The rows of a table. */
export type RowOf<Declared> = Declared extends Table<infer Row> ? Row : never;

/**
 * Declares a table and, by its columns, the type of its rows.
 *
 * @param definition name and columns as in its `schema.sql`; `key` in the order of the primary key
 */
export function defineTable<const Declared extends Columns>(definition: {
  name: string;
  columns: Declared;
  key: readonly (keyof Declared & string)[];
  appendOnly?: boolean;
  range?: RangeIndex<keyof Declared & string>;
  variesWithBuild?: boolean;
}): Table<RowWith<Declared>> {
  const { columns, appendOnly = false, range = null, variesWithBuild = false } = definition;
  const types = Object.entries(columns).map(([property, declared]) => [
    property,
    typeof declared === 'string' ? declared.replace('?', '') : declared.type,
  ]);
  return { ...definition, columns: Object.fromEntries(types), appendOnly, range, variesWithBuild };
}

export function columnName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The reverse of `columnName`. */
export function propertyName(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

// No text contains U+0000 (Postgres could not store it), so it separates the parts of a key unambiguously.
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
