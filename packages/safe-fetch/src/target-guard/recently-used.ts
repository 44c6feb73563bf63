/** Things by key, a bounded number: a new one takes the place of the idle one that has not been used for longest. */
export type RecentlyUsed<Thing> = { readonly size: number; get(key: string): Thing };

export function createRecentlyUsed<Thing>(
  countMax: number,
  create: () => Thing,
  isIdle: (thing: Thing) => boolean,
): RecentlyUsed<Thing> {
  // In the order of their last use.
  const things = new Map<string, Thing>();
  const makeRoom = (): void => {
    if (things.size < countMax) return;
    for (const [key, thing] of things) {
      if (!isIdle(thing)) continue;
      things.delete(key);
      return;
    }
    // All are in use: what is in use at one time has its own bound, far below this one.
  };
  return {
    get size() {
      return things.size;
    },
    get: (key) => {
      const known = things.get(key);
      if (known === undefined) makeRoom();
      const thing = known ?? create();
      things.delete(key);
      things.set(key, thing);
      return thing;
    },
  };
}
