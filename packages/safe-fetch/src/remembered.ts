/** A bounded number of things by name, each for a time after it was last told; beyond the bound those told longest ago are forgotten. */
export type Remembered<Thing> = {
  get(name: string): Thing | undefined;
  set(name: string, thing: Thing): void;
  forget(name: string): void;
};

/**
 * @param now Milliseconds of a clock that only goes forward.
 */
export function createRemembered<Thing>(
  countMax: number,
  forMs: number,
  now: () => number = () => performance.now(),
): Remembered<Thing> {
  // In the order of their telling, which is that of their end.
  const entries = new Map<string, { thing: Thing; until: number }>();
  return {
    get: (name) => {
      const entry = entries.get(name);
      if (entry === undefined || now() < entry.until) return entry?.thing;
      entries.delete(name);
      return undefined;
    },
    set: (name, thing) => {
      entries.delete(name);
      const [oldest] = entries.keys();
      if (entries.size >= countMax && oldest !== undefined) entries.delete(oldest);
      entries.set(name, { thing, until: now() + forMs });
    },
    forget: (name) => void entries.delete(name),
  };
}
