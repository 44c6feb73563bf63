import { RangeGroups } from '../range-groups.ts';
import type { CachedRow } from '../row-cache.ts';
import { keyParts, type AnyTable, type KeyPart } from '../table.ts';
import type { StoredKeys } from './stored-keys.ts';

type Row = Readonly<Record<string, unknown>>;

/** A row as it is now, or that there is none; what the database has of it may be older, or nothing. */
export type HeldRow = {
  key: string;
  row: Row | null;
  /** The database has a row with this key. */
  stored: boolean;
  /** The database does not have it as it is now. */
  changed: boolean;
  /** The event that changed it last, and what it was before. */
  changedBy: number;
  before: CachedRow | undefined;
};

/** What has to be written of one table. A row is in one of them. */
export type TableWrites = { copies: Row[]; upserts: Row[]; deletes: (readonly KeyPart[])[] };

/**
 * The rows of one table that a replay has in memory. Rows leave it for the database when they have not been asked for while as many others
 * were, so one that changes often is written once; it never holds more rows than its limit, but for those of one page of events.
 */
export class HeldTable {
  readonly table: AnyTable;
  /** No row has left: what is not here is nowhere. */
  isComplete = true;
  inserts: Row[] = [];
  #young: Map<string, HeldRow> = new Map();
  #old: Map<string, HeldRow> = new Map();
  readonly #rowsMax: number;
  readonly #storedKeys: StoredKeys;
  readonly #ranges: RangeGroups | null;
  /** Of each group, a bound: none of its rows that are in the database alone has an order value below it. */
  readonly #storedOrderMin: Map<string, number> = new Map();

  constructor(table: AnyTable, options: { rowsMax: number; storedKeys: StoredKeys }) {
    this.table = table;
    this.#rowsMax = options.rowsMax;
    this.#storedKeys = options.storedKeys;
    this.#ranges = table.range === null ? null : new RangeGroups(table.range);
  }

  find(key: string): HeldRow | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#young.set(key, old);
    return old;
  }

  /** Whether the database may have a row that is not here. */
  mayBeStored(key: string): boolean {
    return !this.isComplete && this.#storedKeys.mayHave(this.table.name, key);
  }

  /** Takes in what the database has under a key that is not here: a row, or null for none. */
  load(key: string, row: CachedRow): void {
    this.#young.set(key, { key, row, stored: row !== null, changed: false, changedBy: -1, before: undefined });
    if (row !== null) this.#ranges?.add(row, key);
  }

  /** Changes a row, null for deleting it. */
  set(key: string, row: Row | null, event: number): void {
    const held = this.find(key);
    if (held === undefined) {
      const stored = this.mayBeStored(key);
      this.#young.set(key, { key, row, stored, changed: true, changedBy: event, before: undefined });
    } else {
      if (row === null && held.row !== null) this.#ranges?.remove(held.row, key);
      if (held.changedBy !== event) {
        held.before = held.row;
        held.changedBy = event;
      }
      held.row = row;
      held.changed = true;
    }
    if (row !== null) this.#ranges?.add(row, key);
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
    const found = this.#ranges?.select(group, upTo, (key) => (this.#young.get(key) ?? this.#old.get(key))?.row) ?? [];
    return found.map(({ row }) => row);
  }

  /** Lets rows go that were not asked for of late, and answers what of them has to be written. Between two pages of events only. */
  evict(writes: TableWrites): void {
    if (this.#young.size * 2 < this.#rowsMax) return;
    for (const [key, held] of this.#old) {
      if (this.#young.has(key)) continue;
      this.#take(held, writes);
      if (held.row === null) continue;
      this.#ranges?.remove(held.row, key);
      this.isComplete = false;
      this.#storedKeys.add(this.table.name, key);
      this.#keepOrderMin(held.row);
    }
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** All that the database does not have yet. */
  takeAll(writes: TableWrites): void {
    for (const held of this.#old.values()) this.#take(held, writes);
    for (const held of this.#young.values()) this.#take(held, writes);
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
