import { type AttributesOf, exportedName, type MetricName, metricsTable, type NamesOf } from '@agent-trust/metrics';

/** What Grafana puts in when it asks: the chosen services and instances, and a window that holds at least four scrapes. */
const chosen = 'job=~"$job",instance=~"$instance"';
const window = '$__rate_interval';

/** Conditions on attributes, each with its operator: `{ 'http.route': '="/verify"' }`. */
type Where<Name extends MetricName> = { [Key in keyof AttributesOf<Name> & string]?: string };
/** What a query distinguishes: attributes of the metric, or where it came from. */
type By<Name extends MetricName> = 'job' | 'instance' | (keyof AttributesOf<Name> & string);

/** The name of a label, as Prometheus has the attribute. */
export function labelName(attribute: string): string {
  return attribute.replaceAll(/[^a-zA-Z0-9_]/gu, '_');
}

/** A metric of the table, under its name in Prometheus: a name or an attribute that the table lacks does not compile. */
export function series<Name extends MetricName>(name: Name, where: Where<Name> = {}, suffix = ''): string {
  const conditions = Object.entries<string | undefined>(where).map(
    ([key, value]) => `,${labelName(key)}${value ?? ''}`,
  );
  return `${exportedName(name, metricsTable[name])}${suffix}{${chosen}${conditions.join('')}}`;
}

/** What a counter counts each second, summed. */
export function rate<Name extends NamesOf<'counter'>>(
  name: Name,
  by: By<Name>[] = [],
  where: Where<Name> = {},
): string {
  return sum(`rate(${series(name, where)}[${window}])`, by);
}

/** The number of values that a histogram gets each second, summed. */
export function countRate<Name extends NamesOf<'histogram'>>(
  name: Name,
  by: By<Name>[] = [],
  where: Where<Name> = {},
): string {
  return sum(`rate(${series(name, where, '_count')}[${window}])`, by);
}

/** What a histogram measures each second, summed: of times, how much is under way at a time. */
export function sumRate<Name extends NamesOf<'histogram'>>(name: Name, by: By<Name>[] = []): string {
  return sum(`rate(${series(name, {}, '_sum')}[${window}])`, by);
}

/** A quantile of a histogram. */
export function quantile<Name extends NamesOf<'histogram'>>(
  at: number,
  name: Name,
  by: By<Name>[] = [],
  where: Where<Name> = {},
): string {
  return `histogram_quantile(${at}, ${sum(`rate(${series(name, where, '_bucket')}[${window}])`, ['le', ...by])})`;
}

/** Observed values, brought together over instances. */
export function gauge<Name extends NamesOf<'gauge' | 'up_down_counter'>>(
  over: 'sum' | 'min' | 'max',
  name: Name,
  by: By<Name>[] = [],
  where: Where<Name> = {},
): string {
  return aggregate(over, series(name, where), by);
}

export function sum(expression: string, by: readonly string[]): string {
  return aggregate('sum', expression, by);
}

const aggregate = (over: string, expression: string, by: readonly string[]): string =>
  `${over}${by.length === 0 ? '' : ` by (${by.map(labelName).join(', ')}) `}(${expression})`;

/** An expression as Grafana asks it if everything is chosen. */
export function withAllChosen(expression: string, window = '1m'): string {
  return expression
    .replaceAll(/\$__(?:rate_interval|range|interval)/gu, window)
    .replaceAll(/\$(?:job|instance)/gu, '.+');
}
