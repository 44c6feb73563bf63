import { type BoundedMap, createBoundedMap } from '@agent-trust/limits';

/** An answer that a member may give again. */
export type Held<Value> = {
  value: Value;
  /** Groups whose changes alter it (rule 2). */
  groups: readonly string[];
  bytes: number;
};

/** What a member holds. Anything may be forgotten at any time (rule 12). */
export type HeldObjects<Value> = {
  get(key: string): Held<Value> | undefined;
  set(key: string, held: Held<Value>): void;
  delete(key: string): void;
  deleteGroup(group: string): void;
  clear(): void;
};

type Entry<Value> = Held<Value> & { key: string };

/** Bytes of an entry besides its value, roughly: the entry, its place in the map and in its order of use. */
const entryBytes = 200;

/** Holds objects up to a total size; those that were not asked for longest go first. */
export function createHeldObjects<Value>(bytesMax: number): HeldObjects<Value> & { readonly count: number } {
  const keysOfGroup = new Map<string, Set<string>>();
  const leaveGroups = ({ key, groups }: Entry<Value>): void => {
    for (const group of groups) {
      const keys = keysOfGroup.get(group);
      keys?.delete(key);
      if (keys?.size === 0) keysOfGroup.delete(group);
    }
  };
  const entries: BoundedMap<string, Entry<Value>> = createBoundedMap({
    weight: { max: bytesMax, of: ({ bytes }: Entry<Value>) => Math.max(1, Math.ceil(bytes) + entryBytes) },
    onEvict: leaveGroups,
  });
  const remove = (key: string): void => {
    const entry = entries.peek(key);
    if (entry === undefined) return;
    entries.delete(key);
    leaveGroups(entry);
  };
  return {
    get: (key) => entries.get(key),
    set: (key, held) => {
      remove(key);
      const entry = { ...held, key };
      if (!entries.set(key, entry)) return;
      for (const group of held.groups) {
        const keys = keysOfGroup.get(group) ?? new Set();
        keysOfGroup.set(group, keys.add(key));
      }
    },
    delete: remove,
    deleteGroup: (group) => {
      for (const key of keysOfGroup.get(group) ?? []) remove(key);
    },
    clear: () => {
      entries.clear();
      keysOfGroup.clear();
    },
    get count() {
      return entries.size;
    },
  };
}
