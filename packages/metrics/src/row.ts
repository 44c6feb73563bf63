/** The processes of the registry; each metric says which of them have it. */
export const serviceNames = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'] as const;
export type ServiceName = (typeof serviceNames)[number];

export type MetricKind = 'counter' | 'up_down_counter' | 'gauge' | 'histogram';

/**
 * The values of an attribute. Each is a word of the program, such as a route's template, a method's name or an error code; never an id, a host, an
 * address or a text of others, because every value is a time series of its own.
 */
export type AttributeSpec<Value extends string = string, Required extends boolean = boolean> = {
  /** All values, if they are few. Then a counter is 0 from the start, so that its first increase is seen. */
  values: readonly Value[] | null;
  required: Required;
  text: string;
};

/** One metric. `npm run check` fails while docs/metrics.md differs from these rows. */
export type MetricRow = {
  kind: MetricKind;
  /** UCUM: `s`, `By`, `1`, `{event}`; empty for a gauge that is 0 or 1. */
  unit: string;
  description: string;
  services: readonly ServiceName[];
  attributes: Readonly<Record<string, AttributeSpec>>;
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
};

export function oneOf<const Value extends string>(...values: Value[]): AttributeSpec<Value, true> {
  return { values, required: true, text: values.map((value) => `\`${value}\``).join(', ') };
}

export function named(text: string): AttributeSpec<string, true> {
  return { values: null, required: true, text };
}

export function optional(text: string): AttributeSpec<string, false> {
  return { values: null, required: false, text };
}

/** Keeps the exact type of each row, from which the types of the instruments are derived. */
export function rows<const Rows extends Readonly<Record<string, MetricRow>>>(of: Rows): Rows {
  return of;
}

export const everyService: readonly ServiceName[] = serviceNames;
export const proxies: readonly ServiceName[] = ['call-proxy', 'pay-proxy'];
export const writers: readonly ServiceName[] = ['registry-write', 'call-proxy', 'pay-proxy'];
