import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When a process is idle, and which garbage is worth a pause. */
export const idleCollectionLimits = {
  /** Between two looks; a process that was idle for one whole interval is idle. */
  lookEveryMs: 5_000,
  /** Share of the interval in which the event loop was busy. Timers and heartbeats alone stay far below. */
  utilizationMax: 0.02,
  /** Growth of the heap since the last collection that is worth a further one. */
  grownBytesMin: 24 * 1024 * 1024,
  /** A collection pauses for some milliseconds for each MiB that stays; a larger heap is left to V8. */
  usedBytesMax: 128 * 1024 * 1024,
} as const;

type HeapSize = { total: number; used: number };

/** What the watcher reads and does; parameters for tests. */
export type IdleCollectionParts = {
  heap: () => HeapSize;
  /** Since the last call, 0 to 1. */
  utilization: () => number;
  collect: () => void;
};

/**
 * Returns memory to the system while a process has nothing to do: V8 keeps the young generation at the size that the last load, or the
 * start, has grown it to (32 MiB), and starts no collection while nothing is allocated. Returns one look, for a timer.
 */
export function idleCollector({ heap, utilization, collect }: IdleCollectionParts): () => void {
  let totalAfter = 0;
  return () => {
    const { total, used } = heap();
    // First, because each look begins the next interval.
    if (utilization() > idleCollectionLimits.utilizationMax) return;
    if (total - totalAfter < idleCollectionLimits.grownBytesMin || used > idleCollectionLimits.usedBytesMax) return;
    collect();
    totalAfter = heap().total;
  };
}

/** Collects garbage whenever the process is idle and there is enough of it. The timer keeps no process alive. */
export function collectWhenIdle(): void {
  const look = idleCollector({ heap: heapSize, utilization: utilizationSinceLast(), collect: collectAll() });
  setInterval(look, idleCollectionLimits.lookEveryMs).unref();
}

export function heapSize(): HeapSize {
  const { total_heap_size: total, used_heap_size: used } = getHeapStatistics();
  return { total, used };
}

const utilizationSinceLast = (): (() => number) => {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
};

/** V8's collection of last resort: the only one that also shrinks the young generation. */
export function collectAll(): () => void {
  // `gc` exists only in contexts that are made while the flag is set.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: Record<string, string>) => void;
  setFlagsFromString('--no-expose-gc');
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
