import { createBoundedMap } from '@agent-trust/limits';
import type { VisibleState } from '../shared/visible-state.ts';
import type { Lookup } from '@agent-trust/limits';

/** Makes a value, unless it is known. */
export type HeldValues<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>;

/** Keeps values for as long as readers see the same state. */
export function heldValues<Value>(visibleState: VisibleState, limits: { countMax: number }): HeldValues<Value> {
  const held = createBoundedMap<string, { value: Value }>(limits);
  let heldOf: string | null = null;
  return async (key, make) => {
    const state = visibleState();
    if (state === null) return make();
    if (state !== heldOf) {
      held.clear();
      heldOf = state;
    }
    const known = held.get(key);
    if (known !== undefined) return known.value;
    const value = await make();
    // Read for another state, it may lack what this one has.
    if (heldOf === state) held.set(key, { value });
    return value;
  };
}

/** Keeps what a lookup answers for as long as readers see the same state. */
export function heldLookup<Value extends {}>(
  lookup: Lookup<Value>,
  visibleState: VisibleState,
  limits: { countMax: number },
): Lookup<Value> {
  const held = heldValues<Value | null>(visibleState, limits);
  return (key) => held(key, () => lookup(key));
}
