import { createBoundedMap } from '@agent-trust/limits';
import type { VisibleState } from '../shared/visible-state.ts';
import type { Lookup } from '@agent-trust/limits';

/** Keeps what a lookup answers for as long as readers see the same state. */
export function heldLookup<Value extends {}>(
  lookup: Lookup<Value>,
  visibleState: VisibleState,
  limits: { countMax: number },
): Lookup<Value> {
  const held = createBoundedMap<string, { value: Value | null }>(limits);
  let heldOf: string | null = null;
  return async (key) => {
    const state = visibleState();
    if (state === null) return lookup(key);
    if (state !== heldOf) {
      held.clear();
      heldOf = state;
    }
    const known = held.get(key);
    if (known !== undefined) return known.value;
    const value = await lookup(key);
    // Read for another state, it may lack what this one has.
    if (heldOf === state) held.set(key, { value });
    return value;
  };
}
