import type { ClientBase } from 'pg';
import { askFor, forEachEvent, PoisonEventError, tablesReadBy } from './each-event.ts';
import { hasRows, type HeldRow, HeldTable, type TableWrites } from './held-table.ts';
import { projectionLimits } from './limits.ts';
import type { LastRows, ProjectedEvent, Projection, Rows, Wanted } from './projection.ts';
import { StoredKeys } from './replay/stored-keys.ts';
import { loadByKey, loadNextOrders, loadRanges } from './row-sql.ts';
import { together } from './session.ts';
import { keyParts, keyText, rowKey, type AnyTable, type KeyPart, type Table } from './table.ts';

/**
 * The rows of a schema that nobody else writes: in memory as many as fit, the others in the database. Changes stay here until they are
 * taken and written. After an error it must be thrown away.
 */
export class HeldRows {
  readonly #tables: Map<AnyTable, HeldTable> = new Map();
  readonly #rowsMax: number;
  readonly #storedKeys: StoredKeys | null;
  readonly #copiesInserts: boolean;
  readonly #beforeLoadByKey: (table: AnyTable) => Promise<void>;
  /** Rows that the present event has changed. */
  readonly #changedNow: HeldRow[] = [];
  #event = 0;
  #insertCount = 0;

  /**
   * @param options.storedKeysBytes size of the memory of stored keys, for a schema that is empty at first; null for any other
   * @param options.copiesInserts whether rows of append-only tables are taken as the input of COPY, not as rows
   * @param options.beforeLoadByKey awaited before rows of a table are read by key
   */
  constructor(options: {
    rowsPerTableMax: number;
    storedKeysBytes: number | null;
    copiesInserts?: boolean;
    beforeLoadByKey?: (table: AnyTable) => Promise<void>;
  }) {
    this.#copiesInserts = options.copiesInserts ?? false;
    this.#beforeLoadByKey = options.beforeLoadByKey ?? (() => Promise.resolve());
    this.#rowsMax = options.rowsPerTableMax;
    this.#storedKeys = options.storedKeysBytes === null ? null : new StoredKeys(options.storedKeysBytes);
  }

  /**
   * Loads what the events need and memory does not have. A row leaves memory at the earliest in the `take` after the one that took it, so
   * everything that was taken before the last `take` must be in the database by now.
   */
  async load<Event extends ProjectedEvent>(
    client: ClientBase,
    events: readonly Event[],
    projections: readonly Projection<Event>[],
  ): Promise<void> {
    const missing = new MissingRows((table) => this.#held(table));
    // Nothing can be missing of a table that is completely in memory. By key, rows of append-only tables are wanted only together with rows
    // that came from the database; by range, of another projection's table, always.
    const asked = projections
      .filter(
        (projection) =>
          tablesReadBy(projection).some((table) => !table.appendOnly && !this.#held(table).isComplete) ||
          projection.readsFrom?.some((table) => table.appendOnly && table.range !== null),
      )
      .map((projection) => askFor(projection, missing));
    forEachEvent(events, asked, ({ projection, wanted }, event) => projection.reads(event, wanted));
    await this.#loadMissing(client, missing);
    const askedThen = asked.filter(({ projection }) => projection.readsThen !== undefined);
    const rows = this.#rows();
    forEachEvent(events, askedThen, ({ projection, wanted }, event) => projection.readsThen?.(event, rows, wanted));
    await this.#loadMissing(client, missing);
  }

  /** Applies the events in order, after `load`. Waits only for rows that `readsLast` asks for. @throws PoisonEventError, database errors */
  async apply<Event extends ProjectedEvent>(
    client: ClientBase,
    events: readonly Event[],
    projections: readonly Projection<Event>[],
  ): Promise<void> {
    const rows = this.#rows();
    const asking = projections
      .filter((projection) => projection.readsLast !== undefined)
      .map((projection) => this.#askingLast(projection));
    for (const event of events) {
      for (const { projection, missing, lastRows } of asking) {
        for (let round = 0; !isSatisfied(projection, event, lastRows, missing); round += 1) {
          if (round === projectionLimits.lastRoundsMax) {
            throw new PoisonEventError(event, projection.name, new Error(`it asks for rows after ${round} rounds`));
          }
          await this.#loadMissing(client, missing);
        }
      }
      this.#nextEvent();
      forEachEvent([event], projections, (projection) => projection.apply(event, rows));
    }
  }

  #askingLast<Event extends ProjectedEvent>(projection: Projection<Event>) {
    const missing = new MissingRows((table) => this.#held(table));
    return { projection, missing, lastRows: this.#lastRows(askFor(projection, missing).wanted) };
  }

  #lastRows(wanted: Wanted): LastRows {
    const rows = this.#rows();
    return {
      ...wanted,
      get: (table, ...key) => {
        const held = this.#held(table);
        const text = keyText(key);
        if (held.find(text) === undefined && held.mayBeStored(text)) {
          wanted.row(table, ...key);
          throw new RowIsMissing();
        }
        return rows.get(table, ...key);
      },
      selectRange: (table, group, upTo) => {
        if (this.#held(table).mayHaveStoredRange(group, upTo)) {
          wanted.range(table, group, upTo);
          throw new RowIsMissing();
        }
        return rows.selectRange(table, group, upTo);
      },
    };
  }

  #nextEvent(): void {
    this.#event += 1;
    // The former rows take much memory and are not needed any more.
    for (const held of this.#changedNow) held.before = undefined;
    this.#changedNow.length = 0;
  }

  /** The rows to write so that memory stays within its limit; with `all`, every change. */
  take(all: boolean, insertsMin: number): Map<AnyTable, TableWrites> {
    const taken = new Map<AnyTable, TableWrites>();
    let takesInserts = all || this.#insertCount >= insertsMin;
    for (const [table, held] of this.#tables) {
      if (table.appendOnly) {
        held.forgetLoaded();
        continue;
      }
      const writes: TableWrites = { copies: [], upserts: [], deletes: [] };
      if (all ? held.takeAll(writes) : held.takeRested(writes)) taken.set(table, writes);
      // A row that leaves memory may need, when it is loaded again, what was appended with it.
      takesInserts ||= hasRows(writes);
    }
    if (takesInserts) {
      for (const [table, held] of this.#tables) {
        const inserts = held.takeInserts();
        if (inserts !== null) taken.set(table, inserts);
      }
      this.#insertCount = 0;
    }
    return taken;
  }

  /** Forgets the rows of tables that somebody else has written meanwhile. All changes must have been taken and written. */
  forget(tables: readonly AnyTable[]): void {
    for (const table of tables) this.#tables.set(table, this.#heldTable(table, null));
  }

  async #loadMissing(client: ClientBase, wanted: MissingRows): Promise<void> {
    const { keys, ranges } = wanted.takeAll();
    for (const table of keys.keys()) await this.#beforeLoadByKey(table);
    // By key first: a range leaves out what is in memory.
    const byKey = Array.from(keys, ([table, missing]) => async () => {
      const held = this.#held(table);
      for (const row of await loadByKey(client, table, [...missing].map(keyParts))) {
        const key = rowKey(table, row);
        missing.delete(key);
        held.load(key, row);
      }
      for (const key of missing) held.load(key, null);
    });
    const inRange = Array.from(ranges, ([table, missing]) => async () => {
      const held = this.#held(table);
      for (const row of await loadRanges(client, table, missing)) {
        const key = rowKey(table, row);
        // What is in memory is newer.
        if (held.find(key) === undefined) held.load(key, row);
      }
      if (table.appendOnly) for (const [group, upTo] of missing) held.rangeLoaded(group, Number(upTo));
    });
    const nextOrders = Array.from(ranges)
      .filter(([table]) => !table.appendOnly)
      .map(([table, missing]) => async () => {
        for (const { group, next } of await loadNextOrders(client, table, missing)) {
          this.#held(table).rangeLoaded(group, next === null ? null : Number(next));
        }
      });
    await together(client, [...byKey, ...inRange, ...nextOrders]);
  }

  #held(table: AnyTable): HeldTable {
    let held = this.#tables.get(table);
    if (held === undefined) {
      held = this.#heldTable(table, this.#storedKeys);
      this.#tables.set(table, held);
    }
    return held;
  }

  #heldTable(table: AnyTable, storedKeys: StoredKeys | null): HeldTable {
    return new HeldTable(table, {
      rowsMax: this.#rowsMax,
      storedKeys,
      changedNow: this.#changedNow,
      copiesInserts: this.#copiesInserts,
    });
  }

  #rows(): Rows {
    const found = (table: AnyTable, key: readonly KeyPart[]): ReturnType<HeldTable['find']> => {
      const held = this.#held(table);
      const text = keyText(key);
      const row = held.find(text);
      if (row === undefined && held.mayBeStored(text)) {
        throw new Error(`row ${key.join(', ')} of ${table.name} was not declared wanted`);
      }
      return row;
    };
    return {
      get: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined =>
        (found(table, key)?.row ?? undefined) as Readonly<Row> | undefined,
      getBefore: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): Readonly<Row> | undefined => {
        const row = found(table, key);
        const before = row?.changedBy === this.#event ? row.before : row?.row;
        return (before ?? undefined) as Readonly<Row> | undefined;
      },
      selectRange: <Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): Readonly<Row>[] => {
        const held = this.#held(table);
        if (held.mayHaveStoredRange(group, upTo)) {
          throw new Error(`range ${group} of ${table.name} was not declared wanted up to ${String(upTo)}`);
        }
        return held.selectRange(group, upTo) as Row[];
      },
      put: <Row extends object>(table: Table<Row>, row: NoInfer<Row>): void => {
        if (table.appendOnly) throw new Error(`${table.name} is append-only`);
        const record = row as Record<string, unknown>;
        this.#held(table).set(rowKey(table, record), record, this.#event);
      },
      insert: <Row extends object>(table: Table<Row>, row: NoInfer<Row>): void => {
        if (!table.appendOnly) throw new Error(`${table.name} is not append-only`);
        this.#held(table).insert(row as Record<string, unknown>);
        this.#insertCount += 1;
      },
      delete: <Row extends object>(table: Table<Row>, ...key: KeyPart[]): void => {
        if (table.appendOnly) throw new Error(`${table.name} is append-only`);
        this.#held(table).set(keyText(key), null, this.#event);
      },
    };
  }
}

/** Whether all that a projection asks for just before an event is in memory; if not, `missing` has it. */
const isSatisfied = <Event extends ProjectedEvent>(
  projection: Projection<Event>,
  event: Event,
  rows: LastRows,
  missing: MissingRows,
): boolean => {
  try {
    projection.readsLast?.(event, rows);
  } catch (cause) {
    if (!(cause instanceof RowIsMissing)) throw new PoisonEventError(event, projection.name, cause);
  }
  return missing.isEmpty;
};

/** Ends a call of `readsLast`: it is made again when the row is there. */
class RowIsMissing extends Error {
  override readonly name = 'RowIsMissing';
}

/** Collects what a page of events wants and memory does not have. */
class MissingRows implements Wanted {
  readonly #heldOf: (table: AnyTable) => HeldTable;
  #keys: Map<AnyTable, Set<string>> = new Map();
  #ranges: Map<AnyTable, Map<KeyPart, Date | number>> = new Map();

  constructor(heldOf: (table: AnyTable) => HeldTable) {
    this.#heldOf = heldOf;
  }

  row<Row extends object>(table: Table<Row>, ...key: KeyPart[]): void {
    const held = this.#heldOf(table);
    if (held.isComplete) return;
    const text = keyText(key);
    if (held.find(text) !== undefined || !held.mayBeStored(text)) return;
    const missing = this.#keys.get(held.table);
    if (missing === undefined) this.#keys.set(held.table, new Set([text]));
    else missing.add(text);
  }

  range<Row extends object>(table: Table<Row>, group: KeyPart, upTo: Date | number): void {
    const held = this.#heldOf(table);
    if (!held.mayHaveStoredRange(group, upTo)) return;
    const missing = this.#ranges.get(held.table);
    const before = missing?.get(group);
    if (missing === undefined) this.#ranges.set(held.table, new Map([[group, upTo]]));
    else if (before === undefined || before < upTo) missing.set(group, upTo);
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0 && this.#ranges.size === 0;
  }

  takeAll(): { keys: Map<AnyTable, Set<string>>; ranges: Map<AnyTable, Map<KeyPart, Date | number>> } {
    const taken = { keys: this.#keys, ranges: this.#ranges };
    this.#keys = new Map();
    this.#ranges = new Map();
    return taken;
  }
}
