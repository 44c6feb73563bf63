import { type ObservedPool, observePoolIn } from './observe-pool.ts';
import { type Counter, type Histogram, type Observer, Recorder } from './recorder.ts';
import type { NamesOf } from './table.ts';

export { metricLimits } from './limits.ts';
export { atEachStep, type CountsNow, RecentCounts, type RecentSteps, RecentValues, stepOf } from './recent-values.ts';
export { exportedName } from './names.ts';
export {
  type Collection,
  type Counter,
  type Histogram,
  type MetricPoint,
  type MetricSnapshot,
  type Observer,
  Recorder,
  type Report,
} from './recorder.ts';
export { type MetricKind, type MetricRow, type ServiceName, serviceNames } from './row.ts';
export type { CounterSeries, HistogramSeries } from './series.ts';
export { type AttributesOf, type MetricName, metricsTable, type NamesOf } from './table.ts';

/** The metrics of this process. They need no provider, so a module can declare those that it has where it is loaded. */
export const processMetrics = new Recorder();

export function counter<Name extends NamesOf<'counter'>>(name: Name): Counter<Name> {
  return processMetrics.counter(name);
}

export function histogram<Name extends NamesOf<'histogram'>>(name: Name): Histogram<Name> {
  return processMetrics.histogram(name);
}

/** As `Recorder.observe`, of this process. */
export function observe(observer: Observer): () => void {
  return processMetrics.observe(observer);
}

/** As `observePoolIn`, of this process. */
export function observePool(name: string, pool: ObservedPool): () => void {
  return observePoolIn(processMetrics, name, pool);
}

/** Seconds since `startedAt`, a time of `performance.now()`. */
export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}
