import { exportedName, metricsTable } from '@agent-trust/metrics';
import { parser } from '@prometheus-io/lezer-promql';
import { foreignMetrics } from '../foreign-metrics.ts';
import { labelName } from '../query.ts';

/** A metric that an expression selects, and the labels that it names in the selection. */
type Selection = { metric: string; labels: string[] };
export type Expression = { selections: Selection[] /** Of `by`, `on` and `group_left`. */; grouping: string[] };

/** Reads an expression by Prometheus' own grammar. @throws if it is none */
export function readExpression(text: string): Expression {
  const found: Expression = { selections: [], grouping: [] };
  let isGrouping = false;
  parser.parse(text).iterate({
    enter: ({ name, type, from, to }) => {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`not PromQL near '${text.slice(Math.max(0, from - 20), to + 20)}': ${text}`);
      if (name === 'GroupingLabels') isGrouping = true;
      else if (name === 'Identifier') found.selections.push({ metric: part, labels: [] });
      else if (name === 'LabelName') (isGrouping ? found.grouping : (found.selections.at(-1)?.labels ?? [])).push(part);
    },
    leave: ({ name }) => {
      if (name === 'GroupingLabels') isGrouping = false;
    },
  });
  return found;
}

const ofTarget = ['job', 'instance'];

/** Labels of each metric that there is, by its name in Prometheus: those of the table, and those of others that are used. */
export const knownLabels: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(foreignMetrics).map(([name, { labels }]): [string, string[]] => [name, [...labels, ...ofTarget]]),
  ...Object.entries(metricsTable).flatMap(([name, row]): [string, string[]][] => {
    const labels = [...Object.keys(row.attributes).map(labelName), ...ofTarget];
    const exported = exportedName(name, row);
    if (row.kind !== 'histogram') return [[exported, labels]];
    return [
      [`${exported}_bucket`, [...labels, 'le']],
      [`${exported}_count`, labels],
      [`${exported}_sum`, labels],
    ];
  }),
]);

/** What an expression names and nothing has; `recorded` are the labels of recording rules. */
export function unknownNames(
  { selections, grouping }: Expression,
  recorded: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  const labelsOf = (metric: string): readonly string[] | undefined => knownLabels.get(metric) ?? recorded.get(metric);
  const all = new Set(selections.flatMap(({ metric }) => labelsOf(metric) ?? []));
  return [
    ...selections.flatMap(({ metric, labels }) => {
      const known = labelsOf(metric);
      return known === undefined
        ? [metric]
        : labels.filter((label) => !known.includes(label)).map((label) => `${metric}{${label}}`);
    }),
    ...grouping.filter((label) => !all.has(label)),
  ];
}
