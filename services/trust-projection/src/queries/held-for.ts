/**
 * Makes a value at most once in a while for each key, however many ask: those that come meanwhile get the same. A failure is not kept.
 *
 * @param heldMs how long a value is kept, from when it was asked for
 */
export function heldFor<Key, Value>(
  heldMs: number,
  make: (key: Key) => Promise<Value>,
  now: () => number = Date.now,
): (key: Key) => Promise<Value> {
  const held = new Map<Key, { madeAt: number; value: Promise<Value> }>();
  return (key) => {
    const known = held.get(key);
    if (known !== undefined && now() - known.madeAt < heldMs) return known.value;
    const made = { madeAt: now(), value: make(key) };
    held.set(key, made);
    made.value.catch(() => {
      if (held.get(key) === made) held.delete(key);
    });
    return made.value;
  };
}
