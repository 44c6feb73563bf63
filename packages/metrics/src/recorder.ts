import { DeadlineError, withDeadline } from '@agent-trust/limits';
import { metricLimits } from './limits.ts';
import type { MetricRow } from './row.ts';
import { type Attributes, CounterSeries, Family, HistogramSeries } from './series.ts';
import { type AttributesOf, type MetricName, metricsTable, type NamesOf } from './table.ts';

/** Reports a value that is read when metrics are collected. */
export type Report = <Name extends NamesOf<'counter' | 'gauge' | 'up_down_counter'>>(
  name: Name,
  value: number,
  // An attribute is given exactly if the metric has one.
  ...attributes: Record<never, never> extends AttributesOf<Name>
    ? [attributes?: AttributesOf<Name>]
    : [attributes: AttributesOf<Name>]
) => void;

export type Observer = (report: Report) => void | Promise<void>;

export type Counter<Name extends MetricName> = { with(attributes: AttributesOf<Name>): CounterSeries };
export type Histogram<Name extends MetricName> = { with(attributes: AttributesOf<Name>): HistogramSeries };

export type MetricPoint = { attributes: Attributes; value: number };
export type MetricSnapshot = { name: MetricName; row: MetricRow } & (
  | { histograms: readonly HistogramSeries[]; points?: never }
  | { points: readonly MetricPoint[]; histograms?: never }
);
export type Collection = { metrics: readonly MetricSnapshot[]; errors: readonly unknown[] };

type Families = Map<MetricName, Family<CounterSeries> | Family<HistogramSeries>>;

/**
 * What a process counts and measures. Recording is an addition in memory, whether or not anybody reads it: OpenTelemetry's SDK, which costs about
 * ten times as much for each value, and memory, is loaded only to export.
 */
export class Recorder {
  readonly #families: Families = new Map();
  readonly #observers = new Set<Observer>();
  #collecting: Promise<Collection> | null = null;

  counter<Name extends NamesOf<'counter'>>(name: Name): Counter<Name> {
    const family = this.#family(name, (row) => new Family(row, (attributes) => new CounterSeries(attributes)));
    return { with: (attributes) => family.of(attributes) };
  }

  histogram<Name extends NamesOf<'histogram'>>(name: Name): Histogram<Name> {
    const family = this.#family(name, (row) => {
      const { buckets = [] } = row;
      return new Family(row, (attributes) => new HistogramSeries(attributes, buckets));
    });
    return { with: (attributes) => family.of(attributes) };
  }

  /** What a counter or a histogram of this process has counted so far, by attributes. */
  counted(name: MetricName): { attributes: Attributes; count: number }[] {
    const series: (CounterSeries | HistogramSeries)[] = this.#families.get(name)?.all() ?? [];
    return series.map((one) => ({ attributes: one.attributes, count: 'value' in one ? one.value : one.count }));
  }

  /** Calls `observer` at each collection, for values that are read and not counted. Returns a function that ends that. */
  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** The metrics that a service has, now. Collections at the same time share one. */
  collect(service: string): Promise<Collection> {
    this.#collecting ??= this.#collect(service).finally(() => {
      this.#collecting = null;
    });
    return this.#collecting;
  }

  #family<Made extends Family<CounterSeries> | Family<HistogramSeries>>(
    name: MetricName,
    make: (row: MetricRow) => Made,
  ): Made {
    const family = (this.#families.get(name) as Made | undefined) ?? make(metricsTable[name]);
    this.#families.set(name, family);
    return family;
  }

  async #collect(service: string): Promise<Collection> {
    const observed = new Map<MetricName, MetricPoint[]>();
    const asked = [...this.#observers].map((observer) => observeOnce(observer, observed));
    const errors = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const metrics: MetricSnapshot[] = [];
    for (const [name, family] of this.#families) {
      const { row } = family;
      if (!isOf(service, row)) continue;
      family.makeKnown();
      const series = family.all();
      if (series.length === 0) continue;
      metrics.push(
        row.kind === 'histogram'
          ? { name, row, histograms: series as HistogramSeries[] }
          : { name, row, points: series as CounterSeries[] },
      );
    }
    for (const [name, points] of observed) {
      const row = metricsTable[name];
      if (isOf(service, row)) metrics.push({ name, row, points });
    }
    return { metrics, errors };
  }
}

/** Packages that several services share declare more than each of them has. */
const isOf = (service: string, { services }: MetricRow): boolean => (services as readonly string[]).includes(service);

const observeOnce = async (observer: Observer, into: Map<MetricName, MetricPoint[]>): Promise<void> => {
  let isLate = false;
  const report: Report = (name, value, ...[attributes]) => {
    if (isLate) return;
    const points = into.get(name) ?? [];
    into.set(name, points);
    points.push({ attributes: definedOf(attributes), value });
  };
  const { observationTimeoutMs: timeoutMs } = metricLimits;
  try {
    const observed = observer(report);
    if (observed !== undefined)
      await withDeadline(observed, timeoutMs, () => new DeadlineError('reading metrics', timeoutMs));
  } finally {
    isLate = true;
  }
};

const definedOf = (attributes: object = {}): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;
