import type { AnyTable } from './table.ts';

/** A row, or null for a key that is known to have none. */
export type CachedRow = Readonly<Record<string, unknown>> | null;

type Generations = { young: Map<string, CachedRow>; old: Map<string, CachedRow> };

/**
 * Rows kept across batches. Valid because one runner writes at a time; it must be thrown away whenever the runner loses its
 * lock or meets another checkpoint than its own.
 *
 * Bounded by two generations per table: when the young one is full it becomes the old one, and what was old and not
 * asked for since is forgotten. That costs one map operation a hit, where a linked LRU list would cost several.
 */
export class RowCache {
  readonly #rowsPerTableMax: number;
  readonly #tables: Map<AnyTable, Generations> = new Map();

  /** @param options.rowsPerTableMax most rows kept per table */
  constructor(options: { rowsPerTableMax: number }) {
    this.#rowsPerTableMax = options.rowsPerTableMax;
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
    generations.young.set(key, row);
    if (generations.young.size * 2 >= this.#rowsPerTableMax) {
      generations.old = generations.young;
      generations.young = new Map();
    }
  }

  #of(table: AnyTable): Generations {
    let generations = this.#tables.get(table);
    if (generations === undefined) this.#tables.set(table, (generations = { young: new Map(), old: new Map() }));
    return generations;
  }
}
