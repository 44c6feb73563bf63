import { LRUCache } from 'lru-cache';

export type BoundedMapOptions<Value> = {
  /** Maximum number of entries. At least one of `countMax` and `weight` is given. */
  countMax?: number;
  /** Maximum total weight of the values; each weight is a whole number above 0. */
  weight?: { max: number; of: (value: Value) => number };
  /** How long an entry is kept after it was set, above 0; for ever by default. Expired entries are dropped on lookup or evicted. */
  lifetimeMs?: number;
  /** Milliseconds of a clock that never runs backwards; `performance.now` by default. */
  now?: () => number;
  /** Whether an entry may be evicted; every entry may by default. Not together with `weight` or `lifetimeMs`. */
  mayEvict?: (value: Value) => boolean;
  onEvict?: (value: Value) => void;
};

/** A map of bounded size: the least recently read or set entry is evicted for a new one. */
export type BoundedMap<Key, Value> = {
  get(key: Key): Value | undefined;
  /** Like `get`, but does not count as a use. */
  peek(key: Key): Value | undefined;
  has(key: Key): boolean;
  /** @returns whether the value was stored. It is not if it alone exceeds the weight limit, or if no entry may be evicted. */
  set(key: Key, value: Value): boolean;
  delete(key: Key): void;
  clear(): void;
  values(): Iterable<Value>;
  /** Includes entries that have expired and have not been looked up since. */
  readonly size: number;
};

export function createBoundedMap<Key extends {}, Value extends {}>(
  options: BoundedMapOptions<Value>,
): BoundedMap<Key, Value> {
  const { countMax = 0, weight, lifetimeMs = 0, mayEvict, onEvict } = options;
  const now = options.now ?? (() => performance.now());
  const cache = new LRUCache<Key, Value>({
    max: countMax,
    ...(weight === undefined ? {} : { maxSize: weight.max, sizeCalculation: weight.of }),
    ttl: lifetimeMs,
    ...(onEvict === undefined
      ? {}
      : { dispose: (value: Value, _key: Key, reason: string) => void (reason === 'evict' && onEvict(value)) }),
    // Each access reads the clock: the library would cache the time for a millisecond, with a timer.
    ttlResolution: 0,
    // The library treats an entry of time 0 as one without age.
    perf: { now: () => now() + 1 },
  });
  const hasRoomFor = (key: Key): boolean => {
    if (mayEvict === undefined || cache.size < countMax || cache.has(key)) return true;
    // In order of use, the least recently used first.
    for (const oldest of cache.rkeys()) {
      const value = cache.peek(oldest, { allowStale: true });
      if (value === undefined || !mayEvict(value)) continue;
      cache.delete(oldest);
      onEvict?.(value);
      return true;
    }
    return false;
  };
  return {
    get: (key) => cache.get(key),
    peek: (key) => cache.peek(key),
    has: (key) => cache.has(key),
    set: (key, value) => {
      if (!hasRoomFor(key)) return false;
      cache.set(key, value);
      return cache.peek(key) === value;
    },
    delete: (key) => void cache.delete(key),
    clear: () => cache.clear(),
    values: () => cache.values(),
    get size() {
      return cache.size;
    },
  };
}
