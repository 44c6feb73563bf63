import type { ClientBase } from 'pg';
import type { ProjectedEvent, Projection, Rows, Wanted } from './projection.ts';
import type { CachedRow, RowCache } from './row-cache.ts';
import { loadByKey, loadRanges } from './row-load.ts';
import { keyText, rowKey, type AnyTable, type KeyPart, type Table } from './table.ts';
import { TableChanges } from './table-changes.ts';
import { askFor } from './tables-read.ts';

type Want = { keys: Map<string, readonly KeyPart[]>; ranges: Map<KeyPart, Date | number> };

/** An event that a projection could not apply. The log cannot be changed, so only new code gets past it. */
export class PoisonEventError extends Error {
  readonly event: { position: bigint; eventId: string; type: string };
  readonly projection: string;

  constructor(event: PoisonEventError['event'], projection: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${projection} cannot apply ${event.type} at position ${event.position}: ${reason}`, { cause });
    this.name = 'PoisonEventError';
    this.event = { position: event.position, eventId: event.eventId, type: event.type };
    this.projection = projection;
  }
}

/**
 * What one or several batches read and change: loaded rows, an identity map over them, and the changes to be written.
 * Later events see the changes of earlier ones; several changes of a row become one write.
 */
export class UnitOfWork {
  readonly changes: Map<AnyTable, TableChanges> = new Map();
  readonly #cache: RowCache;
  readonly #known: Map<AnyTable, Map<string, CachedRow>> = new Map();
  readonly #wanted: Map<AnyTable, Want> = new Map();
  readonly #rangesLoaded: Map<AnyTable, Map<KeyPart, Date | number>> = new Map();
  /** Rows that the present event has changed, as they were before it. */
  readonly #before: Map<AnyTable, Map<string, CachedRow | undefined>> = new Map();

  constructor(cache: RowCache) {
    this.#cache = cache;
  }

  /**
   * Loads what the events need: from the cache, else in one query per table and kind.
   *
   * @param database gives the connection to ask on, as soon as earlier changes are there; called only when it is needed
   */
  async load<Event extends ProjectedEvent>(
    database: () => Promise<ClientBase>,
    events: readonly Event[],
    projections: readonly Projection<Event>[],
  ): Promise<void> {
    const collector = this.#collector();
    const asked = projections.map((projection) => askFor(projection, collector));
    forEachEvent(events, asked, ({ projection, wanted }, event) => projection.reads(event, wanted));
    await this.#loadWanted(database);
    const rows = this.#rows();
    const askedThen = asked.filter(({ projection }) => projection.readsThen !== undefined);
    forEachEvent(events, askedThen, ({ projection, wanted }, event) => projection.readsThen?.(event, rows, wanted));
    await this.#loadWanted(database);
  }

  async #loadWanted(database: () => Promise<ClientBase>): Promise<void> {
    for (const [table, want] of this.#wanted) {
      const known = this.#knownRows(table);
      const missing: (readonly KeyPart[])[] = [];
      for (const [text, parts] of want.keys) {
        if (known.has(text)) continue;
        const cached = this.#cache.get(table, text);
        if (cached !== undefined) known.set(text, cached);
        else missing.push(parts);
      }
      if (missing.length > 0) {
        for (const parts of missing) known.set(keyText(parts), null);
        for (const row of await loadByKey(await database(), table, missing)) known.set(rowKey(table, row), row);
      }
      if (want.ranges.size > 0) await this.#loadRanges(database, table, want.ranges);
    }
    this.#wanted.clear();
  }

  async #loadRanges(database: () => Promise<ClientBase>, table: AnyTable, ranges: Want['ranges']): Promise<void> {
    const known = this.#knownRows(table);
    const changes = this.#changesOf(table);
    const loaded = this.#rangesLoaded.get(table) ?? new Map<KeyPart, Date | number>();
    this.#rangesLoaded.set(table, loaded);
    for (const [group, upTo] of ranges) loaded.set(group, upTo);
    for (const row of await loadRanges(await database(), table, ranges)) {
      const key = rowKey(table, row);
      this.#addToRange(known, changes, key, this.#cache.get(table, key) ?? row);
    }
  }

  #addToRange(known: Map<string, CachedRow>, changes: TableChanges, key: string, row: NonNullable<CachedRow>): void {
    if (!known.has(key)) known.set(key, row);
    changes.addRangeCandidate(row, key);
  }

  /** Applies the events in order. Throws {@link PoisonEventError}; the unit of work is of no use then. */
  apply<Event extends ProjectedEvent>(events: readonly Event[], projections: readonly Projection<Event>[]): void {
    const rows = this.#rows();
    let present: Event | null = null;
    forEachEvent(events, projections, (projection, event) => {
      if (event !== present) this.#before.clear();
      present = event;
      projection.apply(event, rows);
    });
  }

  /** Hands all rows to the cache. When the changes are not committed in the end, the cache must be thrown away. */
  keepInCache(): void {
    for (const [table, known] of this.#known) {
      if (!table.appendOnly) for (const [text, row] of known) this.#cache.set(table, text, row);
    }
  }

  #collector(): Wanted {
    const wants = this.#wanted;
    const wantOf = (table: AnyTable): Want => {
      let want = wants.get(table);
      if (want === undefined) wants.set(table, (want = { keys: new Map(), ranges: new Map() }));
      return want;
    };
    return {
      row: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): void => {
        wantOf(table).keys.set(keyText(key), key);
      },
      range: <Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): void => {
        const { ranges } = wantOf(table);
        const before = ranges.get(group);
        if (before === undefined || before < upTo) ranges.set(group, upTo);
      },
    };
  }

  #rows(): Rows {
    const rowOf = <Row extends object>(table: Table<Row>, key: KeyPart[], row: CachedRow | undefined) => {
      if (row === undefined) throw new Error(`row ${key.join(', ')} of ${table.name} was not declared wanted`);
      return row === null ? undefined : (row as Readonly<Row>);
    };
    return {
      get: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined =>
        rowOf(table, key, this.#knownRows(table).get(keyText(key))),
      getBefore: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined => {
        const text = keyText(key);
        const changed = this.#before.get(table);
        const before = changed?.has(text) ? changed.get(text) : this.#knownRows(table).get(text);
        return rowOf(table, key, before);
      },
      selectRange: <Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): Readonly<Row>[] => {
        const any = table;
        const loadedUpTo = this.#rangesLoaded.get(any)?.get(group);
        if (loadedUpTo === undefined || upTo > loadedUpTo) {
          throw new Error(`range ${group} of ${table.name} was not declared wanted up to ${String(upTo)}`);
        }
        return this.#changesOf(any).selectRange(group, upTo, this.#knownRows(any)) as Row[];
      },
      put: <Row extends object>(table: Table<Row>, row: NoInfer<Row>): void => {
        const any = table;
        if (table.appendOnly) throw new Error(`${table.name} is append-only`);
        const record = row as Record<string, unknown>;
        const text = rowKey(any, record);
        this.#change(any, text, record);
        this.#changesOf(any).put(text, record);
      },
      insert: <Row extends object>(table: Table<Row>, row: NoInfer<Row>): void => {
        const any = table;
        if (!table.appendOnly) throw new Error(`${table.name} is not append-only`);
        this.#changesOf(any).insert(row as Record<string, unknown>);
      },
      delete: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): void => {
        const any = table;
        if (table.appendOnly) throw new Error(`${table.name} is append-only`);
        const text = keyText(key);
        this.#change(any, text, null);
        this.#changesOf(any).delete(text, key);
      },
    };
  }

  #change(table: AnyTable, key: string, row: CachedRow): void {
    const known = this.#knownRows(table);
    let before = this.#before.get(table);
    if (before === undefined) this.#before.set(table, (before = new Map()));
    if (!before.has(key)) before.set(key, known.get(key));
    known.set(key, row);
  }

  #knownRows(table: AnyTable): Map<string, CachedRow> {
    let known = this.#known.get(table);
    if (known === undefined) this.#known.set(table, (known = new Map()));
    return known;
  }

  #changesOf(table: AnyTable): TableChanges {
    let changes = this.changes.get(table);
    if (changes === undefined) this.changes.set(table, (changes = new TableChanges(table)));
    return changes;
  }
}

/** Asks each projection about each event in order. @throws PoisonEventError */
export function forEachEvent<Event extends ProjectedEvent, Asked extends { name: string }>(
  events: readonly Event[],
  projections: readonly Asked[],
  ask: (projection: Asked, event: Event) => void,
): void {
  for (const event of events) {
    let name = '';
    try {
      for (const projection of projections) {
        name = projection.name;
        ask(projection, event);
      }
    } catch (cause) {
      throw new PoisonEventError(event, name, cause);
    }
  }
}
