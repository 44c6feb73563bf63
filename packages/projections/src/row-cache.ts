import { type FoundRow, RangeGroups } from './range-groups.ts';
import type { AnyTable, KeyPart } from './table.ts';

/** A row, or null for a key that is known to have none. */
export type CachedRow = Readonly<Record<string, unknown>> | null;

type Generations = {
  young: Map<string, CachedRow>;
  old: Map<string, CachedRow>;
  complete: boolean;
  /** Kept while the cache is complete, when it can answer for a whole group. */
  ranges: RangeGroups | null;
};

/**
 * Rows kept across batches. Valid because one runner writes at a time; it must be thrown away whenever the runner loses its
 * lock or meets another checkpoint than its own.
 *
 * Bounded by two generations per table: when the young one is full it becomes the old one, and what was old and not
 * asked for since is forgotten. That costs one map operation a hit, where a linked LRU list would cost several.
 */
export class RowCache {
  readonly #rowsPerTableMax: number;
  readonly #startsComplete: boolean;
  readonly #tables: Map<AnyTable, Generations> = new Map();

  /**
   * @param options.rowsPerTableMax most rows kept per table
   * @param options.startsComplete the tables are known to be empty now, so that a key not found here exists nowhere
   *   (until the first row is forgotten). Spares a replay nearly all its reads.
   */
  constructor(options: { rowsPerTableMax: number; startsComplete?: boolean }) {
    this.#rowsPerTableMax = options.rowsPerTableMax;
    this.#startsComplete = options.startsComplete ?? false;
  }

  get(table: AnyTable, key: string): CachedRow | undefined {
    const generations = this.#of(table);
    const young = generations.young.get(key);
    if (young !== undefined) return young;
    const old = generations.old.get(key);
    if (old !== undefined) this.set(table, key, old);
    return old;
  }

  set(table: AnyTable, key: string, row: CachedRow): void {
    const generations = this.#of(table);
    // In a complete cache an absent row needs no entry: not being here says the same.
    if (row === null && generations.complete) {
      generations.young.delete(key);
      generations.old.delete(key);
      return;
    }
    generations.young.set(key, row);
    if (row !== null) generations.ranges?.add(row, key);
    if (generations.young.size * 2 >= this.#rowsPerTableMax) {
      if (generations.old.size > 0) {
        generations.complete = false;
        generations.ranges = null;
      }
      generations.old = generations.young;
      generations.young = new Map();
    }
  }

  /** True while every row of the table is in the cache. */
  isComplete(table: AnyTable): boolean {
    return this.#of(table).complete;
  }

  /** The rows of a group up to a bound; null when the cache cannot know them all. */
  selectRange(table: AnyTable, group: KeyPart, upTo: Date | number): FoundRow[] | null {
    const { ranges, young, old } = this.#of(table);
    return ranges === null ? null : ranges.select(group, upTo, (key) => young.get(key) ?? old.get(key));
  }

  #of(table: AnyTable): Generations {
    let generations = this.#tables.get(table);
    if (generations === undefined) {
      const complete = this.#startsComplete;
      const ranges = complete && table.range !== null ? new RangeGroups(table.range) : null;
      generations = { young: new Map(), old: new Map(), complete, ranges };
      this.#tables.set(table, generations);
    }
    return generations;
  }
}
