import { RangeGroups } from '../range-groups.ts';
import type { CachedRow } from '../row-cache.ts';
import { keyParts, type AnyTable, type KeyPart } from '../table.ts';
import type { StoredKeys, TableKeys } from './stored-keys.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row as it is now, or that there is none; what the database has of it may be older, or nothing. */
export type HeldRow = {
  key: string;
  row: Row | null;
  /** The database has a row with this key. */
  stored: boolean;
  /** The database does not have it as it is now. */
  changed: boolean;
  /** The turn in which it was last asked for or changed. */
  touchedIn: number;
  /** The event that changed it last, and what it was before, for as long as that event is the present one. */
  changedBy: number;
  before: CachedRow | undefined;
};

/** What has to be written of one table. A row is in one of them. */
export type TableWrites = { copies: Row[]; upserts: Row[]; deletes: (readonly KeyPart[])[] };

/** Rows that came, or came to rest, in one turn. */
type Turn = { number: number; rows: HeldRow[] };

/** A turn is over when this part of the most rows that are held has come. */
const turnsOfMemory = 16;

/**
 * The rows of one table that a replay has in memory. A row that was not asked for during a turn has come to rest and is written, while the
 * database has little else to do; it stays here until there is no more room. So one that changes often is written once, and what
 * is here is more than what is being worked on. Never holds more rows than its limit, but for those of a turn and of one page of events.
 */
export class HeldTable {
  readonly table: AnyTable;
  /** No row has left: what is not here is nowhere. */
  isComplete = true;
  inserts: Row[] = [];
  readonly #rows: Map<string, HeldRow> = new Map();
  readonly #rowsMax: number;
  readonly #storedKeys: TableKeys;
  readonly #ranges: RangeGroups | null;
  /** Rows that the present event has changed, of all tables. */
  readonly #changedNow: HeldRow[];
  /** The two rows found last: an event is about two agents at most, and asks for most of its rows several times. */
  #found: HeldRow | null = null;
  #foundBefore: HeldRow | null = null;
  #present: Turn = { number: 0, rows: [] };
  /** The turns before it whose rows may still be at work, and those whose rows rest, written or not: the oldest first. */
  #working: Turn | null = null;
  readonly #unwritten: Turn[] = [];
  readonly #resting: Turn[] = [];
  /** Of each group, a bound: none of its rows that are in the database alone has an order value below it. */
  readonly #storedOrderMin: Map<string, number> = new Map();

  constructor(table: AnyTable, options: { rowsMax: number; storedKeys: StoredKeys; changedNow: HeldRow[] }) {
    this.table = table;
    this.#rowsMax = options.rowsMax;
    this.#storedKeys = options.storedKeys.forTable(table.name);
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
    return !this.isComplete && this.#storedKeys.mayHave(key);
  }

  /** Takes in what the database has under a key that is not here: a row, or null for none. */
  load(key: string, row: CachedRow): void {
    this.#add({ key, row, stored: row !== null, changed: false, touchedIn: 0, changedBy: -1, before: undefined });
  }

  /** Changes a row, null for deleting it. */
  set(key: string, row: Row | null, event: number): void {
    const held = this.find(key);
    if (held === undefined) {
      const stored = this.mayBeStored(key);
      this.#add({ key, row, stored, changed: true, touchedIn: 0, changedBy: event, before: undefined });
      return;
    }
    if (row === null && held.row !== null) this.#ranges?.remove(held.row, key);
    if (held.changedBy !== event) {
      held.before = held.row;
      held.changedBy = event;
      this.#changedNow.push(held);
    }
    held.row = row;
    held.changed = true;
    if (row !== null) this.#ranges?.add(row, key);
  }

  #add(held: HeldRow): void {
    held.touchedIn = this.#present.number;
    this.#rows.set(held.key, held);
    this.#present.rows.push(held);
    if (held.row !== null) this.#ranges?.add(held.row, held.key);
  }

  /** Whether rows of a group up to a bound may be in the database alone. */
  mayHaveStoredRange(group: KeyPart, upTo: Date | number): boolean {
    const orderMin = this.#storedOrderMin.get(String(group));
    return orderMin !== undefined && orderMin <= Number(upTo);
  }

  /** All rows of a group up to a bound are here; the first of the others in the database has this order value, null for none. */
  rangeLoaded(group: KeyPart, nextOrder: number | null): void {
    if (nextOrder === null) this.#storedOrderMin.delete(String(group));
    else this.#storedOrderMin.set(String(group), nextOrder);
  }

  selectRange(group: KeyPart, upTo: Date | number): Row[] {
    const found = this.#ranges?.select(group, upTo, (key) => this.#rows.get(key)?.row) ?? [];
    return found.map(({ row }) => row);
  }

  /**
   * Ends the turn when it is long enough: takes what has come to rest, which is to be written. What rested in earlier turns leaves as far as
   * there is no more room, so that all of it must have been written by now. Between two pages of events only.
   *
   * @returns whether the turn ended
   */
  takeRested(writes: TableWrites): boolean {
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
    // While there is room for as many again, it may well be that none has to leave, and each is written once, at the end.
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
    return true;
  }

  /** All that the database does not have yet. */
  takeAll(writes: TableWrites): boolean {
    for (const held of this.#rows.values()) this.#take(held, writes);
    return writes.copies.length + writes.upserts.length + writes.deletes.length > 0;
  }

  #letGo(held: HeldRow, restedIn: number): void {
    // Whatever was changed was touched.
    if (held.touchedIn > restedIn || held.changed) {
      this.#present.rows.push(held);
      return;
    }
    this.#rows.delete(held.key);
    if (held.row === null) return;
    this.#ranges?.remove(held.row, held.key);
    this.isComplete = false;
    this.#storedKeys.add(held.key);
    this.#keepOrderMin(held.row);
  }

  takeInserts(): Row[] {
    const { inserts } = this;
    this.inserts = [];
    return inserts;
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
    if (orderMin === undefined || order < orderMin) this.#storedOrderMin.set(group, order);
  }
}
