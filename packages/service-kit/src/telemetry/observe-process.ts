import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Recorder } from '@agent-trust/metrics';

/**
 * How often the delay is measured: what blocks the loop is seen shorter than it is by up to this. Each time wakes a process that has nothing else to do
 * (decision 75).
 */
export const eventLoopResolutionMs = 100;

const gcTypes: Readonly<Record<number, 'major' | 'minor' | 'incremental' | 'weakcb'>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

type GcEntry = { duration: number; detail: { kind: number } };

/**
 * Node measures from one run of its timer to the next, in nanoseconds: the timer's own time is no delay. Without a sample since the last collection
 * the mean is not a number.
 */
const delaySeconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds - eventLoopResolutionMs * 1e6) / 1e9 : 0;

/** Measures this process: processor time, memory, event loop and garbage collection. Returns a function that stops it. */
export function observeProcess(metrics: Recorder): () => void {
  const delay = monitorEventLoopDelay({ resolution: eventLoopResolutionMs });
  delay.enable();
  const pauses = metrics.histogram('v8js.gc.duration');
  const collections = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as GcEntry[]) {
      const type = gcTypes[detail.kind];
      if (type !== undefined) pauses.with({ 'v8js.gc.type': type }).record(duration / 1_000);
    }
  });
  collections.observe({ entryTypes: ['gc'] });
  let utilization = performance.eventLoopUtilization();
  const stopObserving = metrics.observe((report) => {
    const { user, system } = process.cpuUsage();
    report('process.cpu.time', user / 1e6, { 'cpu.mode': 'user' });
    report('process.cpu.time', system / 1e6, { 'cpu.mode': 'system' });
    report('process.memory.usage', process.memoryUsage.rss());
    report('process.uptime', process.uptime());
    for (const space of getHeapSpaceStatistics()) {
      const attributes = { 'v8js.heap.space.name': space.space_name };
      report('v8js.memory.heap.limit', space.space_size, attributes);
      report('v8js.memory.heap.used', space.space_used_size, attributes);
    }
    report('nodejs.eventloop.delay.mean', delaySeconds(delay.mean));
    report('nodejs.eventloop.delay.max', delaySeconds(delay.max));
    report('nodejs.eventloop.delay.p50', delaySeconds(delay.percentile(50)));
    report('nodejs.eventloop.delay.p90', delaySeconds(delay.percentile(90)));
    report('nodejs.eventloop.delay.p99', delaySeconds(delay.percentile(99)));
    delay.reset();
    const now = performance.eventLoopUtilization();
    report('nodejs.eventloop.utilization', performance.eventLoopUtilization(now, utilization).utilization);
    utilization = now;
  });
  return () => {
    stopObserving();
    collections.disconnect();
    delay.disable();
  };
}
