import type { CachedRow } from './row-cache.ts';
import type { AnyTable, KeyPart } from './table.ts';

type RangeGroup = {
  keys: Set<string>;
  /** Nothing in the group has an order value below this, so most questions need no scan. */
  orderMin: number;
};

const orderNumber = (value: unknown): number => (value instanceof Date ? value.getTime() : (value as number));

/** The changes of one table within one batch. A row's last change wins, whatever came before it. */
export class TableChanges {
  readonly puts: Map<string, Record<string, unknown>> = new Map();
  readonly deletes: Map<string, readonly KeyPart[]> = new Map();
  readonly inserts: Record<string, unknown>[] = [];
  readonly #table: AnyTable;
  readonly #ranges: Map<string, RangeGroup> = new Map();

  constructor(table: AnyTable) {
    this.#table = table;
  }

  put(key: string, row: Record<string, unknown>): void {
    this.deletes.delete(key);
    this.puts.set(key, row);
    this.addRangeCandidate(row, key);
  }

  delete(key: string, parts: readonly KeyPart[]): void {
    this.puts.delete(key);
    this.deletes.set(key, parts);
  }

  insert(row: Record<string, unknown>): void {
    this.inserts.push(row);
  }

  /** Remembers that a row may belong to a range of its group: it was loaded by one, or written in this batch. */
  addRangeCandidate(row: Readonly<Record<string, unknown>>, key: string): void {
    const { range } = this.#table;
    if (range === null) return;
    const order = orderNumber(row[range.order]);
    const groupKey = String(row[range.group]);
    const group = this.#ranges.get(groupKey);
    if (group === undefined) {
      this.#ranges.set(groupKey, { keys: new Set([key]), orderMin: order });
      return;
    }
    group.keys.add(key);
    if (order < group.orderMin) group.orderMin = order;
  }

  /** Rows of the group up to `upTo`, in order of their order column, then key: the same for every split into batches. */
  selectRange(groupKey: KeyPart, upTo: Date | number, known: ReadonlyMap<string, CachedRow>): CachedRow[] {
    const { range } = this.#table;
    const group = this.#ranges.get(String(groupKey));
    const upToNumber = orderNumber(upTo);
    if (range === null || group === undefined || upToNumber < group.orderMin) return [];
    const found: { order: number; key: string; row: CachedRow }[] = [];
    let orderMin = Number.POSITIVE_INFINITY;
    for (const key of group.keys) {
      const row = known.get(key) ?? null;
      if (row === null || String(row[range.group]) !== String(groupKey)) {
        group.keys.delete(key);
        continue;
      }
      const order = orderNumber(row[range.order]);
      if (order <= upToNumber) found.push({ order, key, row });
      if (order < orderMin) orderMin = order;
    }
    group.orderMin = orderMin;
    found.sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
    return found.map(({ row }) => row);
  }
}
