import { type BoundedMap, createBoundedMap } from '@agent-trust/limits';

/** An answer that a member may give again. */
export type Held<Value> = {
  value: Value;
  /** Everything whose change alters the answer, besides its own key (rule 2). */
  dependsOn: readonly string[];
  bytes: number;
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

/** Bytes of an entry besides its value, roughly: the entry, its place in the map and in its order of use; and of each dependency. */
const entryBytes = 200;
const dependencyBytes = 200;

/** Holds objects up to a total size; those that were not asked for longest go first. */
export function createHeldObjects<Value>(bytesMax: number): HeldObjects<Value> & { readonly count: number } {
  /** Keys of answers by what they depend on. */
  const dependents = new Map<string, Set<string>>();
  const unlink = ({ key, dependsOn }: Entry<Value>): void => {
    for (const one of dependsOn) {
      const keys = dependents.get(one);
      keys?.delete(key);
      if (keys?.size === 0) dependents.delete(one);
    }
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
      for (const one of held.dependsOn) {
        const keys = dependents.get(one);
        if (keys === undefined) dependents.set(one, new Set([key]));
        else keys.add(key);
      }
    },
    drop: (key) => {
      remove(key);
      for (const dependent of dependents.get(key) ?? []) remove(dependent);
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
