import type { AttributeSpec, MetricRow } from './row.ts';
import { logRows } from './table/log.ts';
import { processRows } from './table/process.ts';
import { requestRows } from './table/requests.ts';

/** Every metric of the registry, by its name. Instruments are made from these rows; docs/metrics.md shows them. */
export const metricsTable = { ...requestRows, ...logRows, ...processRows };

export type MetricName = keyof typeof metricsTable;

/** Names of the metrics of one or several kinds. */
export type NamesOf<Kind extends MetricRow['kind']> = {
  [Name in MetricName]: (typeof metricsTable)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

type ValueOf<Spec> = Spec extends AttributeSpec<infer Value> ? Value : never;

/** The attributes of a metric, checked against its row. */
export type AttributesOf<Name extends MetricName> = (typeof metricsTable)[Name]['attributes'] extends infer Specs
  ? { [Key in keyof Specs as Specs[Key] extends AttributeSpec<string, true> ? Key : never]: ValueOf<Specs[Key]> } & {
      [Key in keyof Specs as Specs[Key] extends AttributeSpec<string, true> ? never : Key]?:
        | ValueOf<Specs[Key]>
        | undefined;
    }
  : never;
