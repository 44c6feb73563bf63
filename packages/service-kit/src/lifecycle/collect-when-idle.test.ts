import { describe, expect, it } from 'vitest';
import { collectAll, heapSize, idleCollectionLimits, idleCollector } from './collect-when-idle.ts';

const { grownBytesMin, usedBytesMax, utilizationMax } = idleCollectionLimits;

/** A process with a heap that a collection shrinks to `afterwards`. */
const watched = () => {
  const state = { total: grownBytesMin, used: 1, afterwards: 0, utilization: 0, collections: 0 };
  const look = idleCollector({
    heap: () => state,
    utilization: () => state.utilization,
    collect: () => {
      state.collections += 1;
      state.total = state.afterwards;
    },
  });
  return { state, look };
};

describe('a process', () => {
  it('that is idle collects what it has gathered, once', () => {
    const { state, look } = watched();
    look();
    look();
    expect(state.collections).toBe(1);
  });

  it('collects again only after its heap has grown by enough since', () => {
    const { state, look } = watched();
    state.afterwards = 10;
    look();
    state.total = 10 + grownBytesMin - 1;
    look();
    expect(state.collections).toBe(1);
    state.total = 10 + grownBytesMin;
    look();
    expect(state.collections).toBe(2);
  });

  it('that works is not paused', () => {
    const { state, look } = watched();
    state.utilization = utilizationMax + 0.001;
    look();
    expect(state.collections).toBe(0);
    state.utilization = utilizationMax;
    look();
    expect(state.collections).toBe(1);
  });

  it('whose heap is large is not paused: the pause grows with what is in use', () => {
    const { state, look } = watched();
    state.used = usedBytesMax + 1;
    look();
    expect(state.collections).toBe(0);
    state.used = usedBytesMax;
    look();
    expect(state.collections).toBe(1);
  });
});

it('a collection frees garbage, leaves what is in use, and exposes nothing', () => {
  const kept = Array.from({ length: 1_000 }, (_, index) => ({ index }));
  let garbage: unknown = Array.from({ length: 500_000 }, (_, index) => ({ index }));
  const before = heapSize();
  expect(garbage).toHaveLength(500_000);
  garbage = null;
  collectAll()();
  expect(heapSize().used).toBeLessThan(before.used - 8 * 1024 * 1024);
  expect(kept.at(-1)).toEqual({ index: 999 });
  expect(globalThis).not.toHaveProperty('gc');
});
