import { type BoundedMap, createBoundedMap } from '@agent-trust/limits';

/** An answer that a member may give again. */
export type Held<Value> = {
  value: Value;
  /** Everything whose change alters the answer, besides its own key (rule 2). */
  dependsOn: readonly string[];
  bytes: number;
  /** Whether it depends on a key that changes frequently. */
  isFrequent?: boolean;
};

/** What a member holds. Anything may be forgotten at any time (rule 12). */
export type HeldObjects<Value> = {
  get(key: string): Held<Value> | undefined;
  set(key: string, held: Held<Value>): void;
  /** Forgets the answer of this key, and those that depend on it. */
  drop(key: string): void;
  clear(): void;
};

type Entry<Value> = Held<Value> & { key: string };

/** Bytes of an entry besides its value and key, measured: the entry, its places in the map and in the order of use; and of each dependency. */
const entryBytes = 220;
const dependencyBytes = 130;

/** Holds objects up to a total size; those that were not asked for longest go first. */
export function createHeldObjects<Value>(bytesMax: number): HeldObjects<Value> & { readonly count: number } {
  const dependents = createDependents();
  const unlink = ({ key, dependsOn }: Entry<Value>): void => {
    for (const one of dependsOn) dependents.delete(one, key);
  };
  const entries: BoundedMap<string, Entry<Value>> = createBoundedMap({
    weight: {
      max: bytesMax,
      of: ({ bytes, dependsOn }: Entry<Value>) => Math.ceil(bytes) + entryBytes + dependsOn.length * dependencyBytes,
    },
    onEvict: unlink,
  });
  const remove = (key: string): void => {
    const entry = entries.peek(key);
    if (entry === undefined) return;
    entries.delete(key);
    unlink(entry);
  };
  return {
    get: (key) => entries.get(key),
    set: (key, held) => {
      remove(key);
      if (!entries.set(key, { ...held, key })) return;
      for (const one of held.dependsOn) dependents.add(one, key);
    },
    drop: (key) => {
      remove(key);
      for (const dependent of dependents.of(key)) remove(dependent);
    },
    clear: () => {
      entries.clear();
      dependents.clear();
    },
    get count() {
      return entries.size;
    },
  };
}

/** Keys of answers by what they depend on. Most things have one dependent, whose set would take more memory than all the rest of it. */
const createDependents = () => {
  const keysOf = new Map<string, string | Set<string>>();
  return {
    add: (dependency: string, key: string): void => {
      const keys = keysOf.get(dependency);
      if (keys === undefined || keys === key) keysOf.set(dependency, key);
      else if (typeof keys === 'string') keysOf.set(dependency, new Set([keys, key]));
      else keys.add(key);
    },
    delete: (dependency: string, key: string): void => {
      const keys = keysOf.get(dependency);
      if (keys === key) keysOf.delete(dependency);
      else if (keys instanceof Set && keys.delete(key) && keys.size === 0) keysOf.delete(dependency);
    },
    /** Those of this moment: they may be deleted while they are gone through. */
    of: (dependency: string): readonly string[] => {
      const keys = keysOf.get(dependency) ?? [];
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    clear: (): void => keysOf.clear(),
  };
};
