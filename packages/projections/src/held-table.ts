import { RangeGroups } from './range-groups.ts';
import { CopiedRows } from './replay/copied-rows.ts';
import type { StoredKeys, TableKeys } from './replay/stored-keys.ts';
import { keyParts, type AnyTable, type KeyPart } from './table.ts';

type Row = Readonly<Record<string, unknown>>;

/** The present version of a row, null if there is none; the database may have an older version or none. */
export type HeldRow = {
  key: string;
  row: Row | null;
  /** The database has a row with this key. */
  stored: boolean;
  /** It differs from the database's row. */
  changed: boolean;
  /** The turn in which it was last requested or changed. */
  touchedIn: number;
  /** The event that changed it last, and the row before that event, as long as that event is the present one. */
  changedBy: number;
  before: Row | null | undefined;
};

/** The rows of one table to write; each row is in one list. `copies` are new rows, `copied` are others as the input of a COPY. */
export type TableWrites = {
  copies: Row[];
  upserts: Row[];
  deletes: (readonly KeyPart[])[];
  copied?: readonly Buffer[];
};

export function hasRows({ copies, upserts, deletes }: TableWrites): boolean {
  return copies.length + upserts.length + deletes.length > 0;
}

/** Rows that were loaded in one turn, or at rest since then. */
type Turn = { number: number; rows: HeldRow[] };

/** A turn ends when this fraction of the row limit was loaded. */
const turnsOfMemory = 16;

/**
 * The rows of one table in memory. A row that was not requested during a turn is at rest: a replay writes it then, while the database is
 * mostly idle, and it leaves when memory is full. So a replay writes a row that changes often only once. Never holds more rows than its
 * limit, except those of one turn and one page of events.
 */
export class HeldTable {
  readonly table: AnyTable;
  /** Every row of the table is here. */
  isComplete: boolean;
  /** Appended rows: here, or as the input of COPY. */
  #inserts: Row[] = [];
  readonly #copiedInserts: CopiedRows | null;
  /** Rows that differ from the database's, and some that were taken since; a row may be here twice. */
  #changed: HeldRow[] = [];
  readonly #rows: Map<string, HeldRow> = new Map();
  readonly #rowsMax: number;
  /** Null: the database may have a row with any key. */
  readonly #storedKeys: TableKeys | null;
  readonly #ranges: RangeGroups | null;
  /** Rows of all tables that the present event has changed. */
  readonly #changedNow: HeldRow[];
  /** The two rows found last: an event is about two agents at most, and requests most of its rows several times. */
  #found: HeldRow | null = null;
  #foundBefore: HeldRow | null = null;
  #present: Turn = { number: 0, rows: [] };
  /** The turn before, whose rows may still be in use, and the turns of resting rows, not written and written; the oldest first. */
  #working: Turn | null = null;
  readonly #unwritten: Turn[] = [];
  readonly #resting: Turn[] = [];
  /** A bound for each group: no row that is only in the database has an order value below it, or up to it in an append-only table. */
  readonly #storedOrderMin: Map<string, number> = new Map();

  constructor(
    table: AnyTable,
    options: { rowsMax: number; storedKeys: StoredKeys | null; changedNow: HeldRow[]; copiesInserts: boolean },
  ) {
    this.table = table;
    this.#copiedInserts = table.appendOnly && options.copiesInserts ? new CopiedRows(table) : null;
    this.#rowsMax = options.rowsMax;
    // Inserts are not remembered, so any key may be stored.
    this.#storedKeys = table.appendOnly ? null : (options.storedKeys?.forTable(table.name) ?? null);
    this.isComplete = this.#storedKeys !== null;
    this.#changedNow = options.changedNow;
    this.#ranges = table.range === null ? null : new RangeGroups(table.range);
  }

  find(key: string): HeldRow | undefined {
    const found = this.#found;
    if (found?.key === key) return found;
    const held = this.#foundBefore?.key === key ? this.#foundBefore : this.#rows.get(key);
    if (held === undefined) return undefined;
    held.touchedIn = this.#present.number;
    this.#foundBefore = found;
    this.#found = held;
    return held;
  }

  /** Whether the database may have a row that is not here. */
  mayBeStored(key: string): boolean {
    return !this.isComplete && this.#storedKeys?.mayHave(key) !== false;
  }

  /** Adds the database's row with a key that is not here, or null for none. */
  load(key: string, row: Row | null): void {
    this.#add({ key, row, stored: row !== null, changed: false, touchedIn: 0, changedBy: -1, before: undefined });
  }

  /** Changes a row, null for deleting it. */
  set(key: string, row: Row | null, event: number): void {
    const held = this.find(key);
    if (held === undefined) {
      const stored = this.mayBeStored(key);
      const changed = true;
      this.#changed.push(this.#add({ key, row, stored, changed, touchedIn: 0, changedBy: event, before: undefined }));
      return;
    }
    if (row === null && held.row !== null) this.#ranges?.remove(held.row, key);
    if (held.changedBy !== event) {
      held.before = held.row;
      held.changedBy = event;
      this.#changedNow.push(held);
    }
    held.row = row;
    if (!held.changed) {
      held.changed = true;
      this.#changed.push(held);
    }
    if (row !== null) this.#ranges?.add(row, key);
  }

  #add(held: HeldRow): HeldRow {
    held.touchedIn = this.#present.number;
    this.#rows.set(held.key, held);
    this.#present.rows.push(held);
    if (held.row !== null) this.#ranges?.add(held.row, held.key);
    return held;
  }

  /** Whether rows of a group up to a bound may be only in the database. */
  mayHaveStoredRange(group: KeyPart, upTo: Date | number): boolean {
    const orderMin = this.#storedOrderMin.get(String(group));
    // Of an append-only table the bound that was loaded is kept, and not what comes next.
    if (this.table.appendOnly) return orderMin === undefined || orderMin < Number(upTo);
    return orderMin === undefined ? this.#storedKeys === null : orderMin <= Number(upTo);
  }

  /** All rows of a group up to a bound are here; the first of the others in the database has this order value, null for none. */
  rangeLoaded(group: KeyPart, nextOrder: number | null): void {
    if (nextOrder === null && this.#storedKeys !== null) this.#storedOrderMin.delete(String(group));
    else this.#storedOrderMin.set(String(group), nextOrder ?? Number.POSITIVE_INFINITY);
  }

  selectRange(group: KeyPart, upTo: Date | number): Row[] {
    const found = this.#ranges?.select(group, upTo, (key) => this.#rows.get(key)?.row) ?? [];
    return found.map(({ row }) => row);
  }

  /**
   * Ends the turn if it is long enough: takes the rows at rest, which are to be written. Rows that rested in earlier turns leave if memory
   * is full, so they must have been written by now. Only between two pages of events.
   *
   * @returns whether the turn ended
   */
  takeRested(writes: TableWrites): boolean {
    // Without stored keys, a group without a bound is loaded again.
    if (this.#storedKeys === null && this.#storedOrderMin.size > this.#rowsMax) this.#storedOrderMin.clear();
    if (this.#present.rows.length * turnsOfMemory < this.#rowsMax) return false;
    this.#found = null;
    this.#foundBefore = null;
    while (this.#rows.size > this.#rowsMax) {
      const oldest = this.#resting.shift();
      if (oldest === undefined) break;
      for (const held of oldest.rows) this.#letGo(held, oldest.number);
    }
    const rested: Turn = { number: this.#present.number, rows: [] };
    const ended = this.#working;
    this.#working = this.#present;
    this.#present = { number: this.#present.number + 1, rows: [] };
    for (const held of ended?.rows ?? []) {
      (held.touchedIn > (ended?.number ?? 0) ? this.#present : rested).rows.push(held);
    }
    this.#unwritten.push(rested);
    // While memory is half empty, perhaps no row has to leave, and each is written once, at the end.
    if (this.#rows.size * 2 < this.#rowsMax) return true;
    for (const { number, rows } of this.#unwritten) {
      const resting: Turn = { number, rows: [] };
      for (const held of rows) {
        if (held.touchedIn > number) this.#present.rows.push(held);
        else {
          this.#take(held, writes);
          resting.rows.push(held);
        }
      }
      this.#resting.push(resting);
    }
    this.#unwritten.length = 0;
    this.#changed = this.#changed.filter(({ changed }) => changed);
    return true;
  }

  /** Takes every row that differs from the database's. */
  takeAll(writes: TableWrites): boolean {
    for (const held of this.#changed) this.#take(held, writes);
    this.#changed = [];
    return hasRows(writes);
  }

  #letGo(held: HeldRow, restedIn: number): void {
    if (held.touchedIn > restedIn || held.changed) {
      this.#present.rows.push(held);
      return;
    }
    this.#rows.delete(held.key);
    if (held.row === null) return;
    this.#ranges?.remove(held.row, held.key);
    this.isComplete = false;
    this.#storedKeys?.add(held.key);
    this.#keepOrderMin(held.row);
  }

  /** Forgets the rows that were loaded of an append-only table: their events have been applied. */
  forgetLoaded(): void {
    this.#rows.clear();
    this.#ranges?.clear();
    this.#storedOrderMin.clear();
    this.#present.rows.length = 0;
    this.#found = null;
    this.#foundBefore = null;
  }

  insert(row: Row): void {
    if (this.#copiedInserts === null) this.#inserts.push(row);
    else this.#copiedInserts.add(row);
  }

  /** The appended rows that were not taken before; null if there are none. */
  takeInserts(): TableWrites | null {
    if (this.#copiedInserts !== null) {
      const copied = this.#copiedInserts.take();
      return copied.length === 0 ? null : { copies: [], upserts: [], deletes: [], copied };
    }
    if (this.#inserts.length === 0) return null;
    const copies = this.#inserts;
    this.#inserts = [];
    return { copies, upserts: [], deletes: [] };
  }

  #take(held: HeldRow, { copies, upserts, deletes }: TableWrites): void {
    if (!held.changed) return;
    held.changed = false;
    if (held.row === null) {
      if (held.stored) deletes.push(keyParts(held.key));
    } else (held.stored ? upserts : copies).push(held.row);
    held.stored = held.row !== null;
  }

  #keepOrderMin(row: Row): void {
    const { range } = this.table;
    if (range === null) return;
    const group = String(row[range.group]);
    const order = Number(row[range.order]);
    const orderMin = this.#storedOrderMin.get(group);
    const isBelow = orderMin === undefined ? this.#storedKeys !== null : order < orderMin;
    if (isBelow) this.#storedOrderMin.set(group, order);
  }
}
