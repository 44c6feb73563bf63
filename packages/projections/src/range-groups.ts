import type { KeyPart, RangeIndex } from './table.ts';

type Group = {
  keys: Set<string>;
  /** No row of the group has an order value below this, so most selections need not read the rows. */
  orderMin: number;
};

type Row = Readonly<Record<string, unknown>>;
type FoundRow = { key: string; row: Row };

/** Exact for positions and places up to 2^53. */
const orderNumber = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value));

/** The keys of the rows that may belong to each group of a range index; their holder has the rows. */
export class RangeGroups {
  readonly #range: RangeIndex;
  readonly #groups: Map<string, Group> = new Map();

  constructor(range: RangeIndex) {
    this.#range = range;
  }

  add(row: Row, key: string): void {
    const order = orderNumber(row[this.#range.order]);
    const groupKey = String(row[this.#range.group]);
    const group = this.#groups.get(groupKey);
    if (group === undefined) {
      this.#groups.set(groupKey, { keys: new Set([key]), orderMin: order });
      return;
    }
    group.keys.add(key);
    if (order < group.orderMin) group.orderMin = order;
  }

  clear(): void {
    this.#groups.clear();
  }

  remove(row: Row, key: string): void {
    const groupKey = String(row[this.#range.group]);
    const group = this.#groups.get(groupKey);
    if (group === undefined) return;
    group.keys.delete(key);
    if (group.keys.size === 0) this.#groups.delete(groupKey);
  }

  /** Rows of the group up to `upTo`, by their order column, then key: the same order for every split into batches. */
  select(groupKey: KeyPart, upTo: Date | number, rowOf: (key: string) => Row | null | undefined): FoundRow[] {
    const { group: groupColumn, order: orderColumn } = this.#range;
    const name = String(groupKey);
    const group = this.#groups.get(name);
    const upToNumber = orderNumber(upTo);
    if (group === undefined || upToNumber < group.orderMin) return [];
    const found: (FoundRow & { order: number })[] = [];
    let orderMin = Number.POSITIVE_INFINITY;
    for (const key of group.keys) {
      const row = rowOf(key) ?? null;
      if (row === null || String(row[groupColumn]) !== name) {
        group.keys.delete(key);
        continue;
      }
      const order = orderNumber(row[orderColumn]);
      if (order <= upToNumber) found.push({ key, row, order });
      if (order < orderMin) orderMin = order;
    }
    group.orderMin = orderMin;
    return found.sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
  }
}
