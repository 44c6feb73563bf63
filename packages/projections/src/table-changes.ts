import { RangeGroups } from './range-groups.ts';
import type { CachedRow } from './row-cache.ts';
import type { AnyTable, KeyPart } from './table.ts';

/** The changes of one table within one unit of work. A row's last change wins, whatever came before it. */
export class TableChanges {
  readonly puts: Map<string, Record<string, unknown>> = new Map();
  readonly deletes: Map<string, readonly KeyPart[]> = new Map();
  readonly inserts: Record<string, unknown>[] = [];
  /** What may be in a range: rows loaded by one, and rows written since. */
  readonly #candidates: RangeGroups | null;

  constructor(table: AnyTable) {
    this.#candidates = table.range === null ? null : new RangeGroups(table.range);
  }

  put(key: string, row: Record<string, unknown>): void {
    this.deletes.delete(key);
    this.puts.set(key, row);
    this.#candidates?.add(row, key);
  }

  delete(key: string, parts: readonly KeyPart[]): void {
    this.puts.delete(key);
    this.deletes.set(key, parts);
  }

  insert(row: Record<string, unknown>): void {
    this.inserts.push(row);
  }

  addRangeCandidate(row: Readonly<Record<string, unknown>>, key: string): void {
    this.#candidates?.add(row, key);
  }

  selectRange(group: KeyPart, upTo: Date | number, known: ReadonlyMap<string, CachedRow>): CachedRow[] {
    return (this.#candidates?.select(group, upTo, (key) => known.get(key)) ?? []).map(({ row }) => row);
  }
}
