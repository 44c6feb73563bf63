import { metricLimits } from './limits.ts';
import type { MetricRow } from './row.ts';

export type Attributes = Readonly<Record<string, string>>;
type GivenAttributes = Readonly<Record<string, string | undefined>>;

/** A number that only grows. */
export class CounterSeries {
  value = 0;
  readonly attributes: Attributes;

  constructor(attributes: Attributes) {
    this.attributes = attributes;
  }

  add(amount = 1): void {
    this.value += amount;
  }
}

export class HistogramSeries {
  readonly attributes: Attributes;
  readonly bounds: readonly number[];
  /** How many values were in each bucket; the last is of those above all bounds. */
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(attributes: Attributes, bounds: readonly number[]) {
    this.attributes = attributes;
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  record(value: number): void {
    // Not a number, or a clock that was set back: one such value would spoil the sum for ever.
    if (!(value >= 0)) return;
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] as number)) bucket += 1;
    (this.counts[bucket] as number) += 1;
    this.sum += value;
    this.count += 1;
  }
}

const overflow = { 'otel.metric.overflow': 'true' };

/** Series by the values of their attributes, one level an attribute: texts are looked up by hashes that they keep. A joined key cost three times as much. */
type Level<Series> = Map<string, Level<Series> | Series>;

/** The time series of one metric, by the values of their attributes. */
export class Family<Series extends CounterSeries | HistogramSeries> {
  readonly row: MetricRow;
  readonly #names: readonly string[];
  readonly #series: Series[] = [];
  readonly #root: Level<Series> = new Map();
  readonly #make: (attributes: Attributes) => Series;
  #overflow: Series | null = null;

  constructor(row: MetricRow, make: (attributes: Attributes) => Series) {
    this.row = row;
    this.#names = Object.keys(row.attributes);
    this.#make = make;
  }

  /** The series of these values. Once there are too many, all others share one. */
  of(given: GivenAttributes): Series {
    let found: Level<Series> | Series | undefined = this.#root;
    for (const name of this.#names) found = (found as Level<Series> | undefined)?.get(given[name] ?? '');
    // A metric without attributes has one series.
    if (this.#names.length === 0) return this.#series[0] ?? this.#add(given);
    return (found as Series | undefined) ?? this.#add(given);
  }

  #add(given: GivenAttributes): Series {
    if (this.#series.length >= metricLimits.seriesPerMetricMax) return (this.#overflow ??= this.#make(overflow));
    const attributes: Record<string, string> = {};
    let level = this.#root;
    for (const name of this.#names.slice(0, -1)) {
      const value = given[name] ?? '';
      const next = (level.get(value) as Level<Series> | undefined) ?? new Map<string, Level<Series> | Series>();
      level.set(value, next);
      level = next;
    }
    for (const name of this.#names) {
      const value = given[name];
      if (value !== undefined && value !== '') attributes[name] = value;
    }
    const made = this.#make(attributes);
    const last = this.#names.at(-1);
    if (last !== undefined) level.set(given[last] ?? '', made);
    this.#series.push(made);
    return made;
  }

  /** Makes the series whose values are known beforehand: a counter that appears with its first increase hides it from `rate()`. */
  makeKnown(): void {
    let combinations: GivenAttributes[] = [{}];
    for (const [name, { values, required }] of Object.entries(this.row.attributes)) {
      if (!required) continue;
      if (values === null) return;
      combinations = combinations.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
    }
    for (const one of combinations) this.of(one);
  }

  all(): Series[] {
    return [...this.#series, ...(this.#overflow === null ? [] : [this.#overflow])];
  }
}
