import { layOut, type Row } from './panel.ts';
import { calls } from './rows/calls.ts';
import { dependencies } from './rows/dependencies.ts';
import { log } from './rows/log.ts';
import { processes } from './rows/processes.ts';
import { projection } from './rows/projection.ts';
import { traffic } from './rows/traffic.ts';
import { writes } from './rows/writes.ts';

export const rows: readonly Row[] = [traffic, calls, writes, projection, log, dependencies, processes];

/** Where the dashboard is committed, from the root of the repository. */
export const dashboardPath = 'infra/observability/grafana/dashboards/registry.json';

const datasource = { type: 'prometheus', uid: '${datasource}' };
const several = {
  type: 'query',
  datasource,
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.+',
  sort: 1,
} as const;

/** Every instance has this metric; its labels are what there is to choose from. */
const everyInstance = 'registry_bus_connected';

/** The dashboard as Grafana 10 and later read it; it names no data source, so that it can be imported anywhere. */
export function dashboardText(): string {
  const dashboard = {
    uid: 'agent-trust-registry',
    title: 'Agent Trust Registry',
    description: 'Traffic, calls, writes, projection, log and dependencies. docs/observability.md says how to read it.',
    tags: ['agent-trust-registry'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    timezone: 'browser',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
        { ...several, ...choice('job', 'Service', `label_values(${everyInstance}, job)`) },
        { ...several, ...choice('instance', 'Instance', `label_values(${everyInstance}{job=~"$job"}, instance)`) },
      ],
    },
    annotations: {
      list: [
        {
          name: 'Alerts',
          datasource,
          enable: true,
          iconColor: 'red',
          expr: 'ALERTS{alertname=~"Registry.+",alertstate="firing"}',
          titleFormat: '{{alertname}}',
          textFormat: '{{severity}}',
        },
      ],
    },
    panels: layOut(rows),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

const choice = (name: string, label: string, query: string): object => ({
  name,
  label,
  definition: query,
  query: { query, refId: name },
  current: { text: ['All'], value: ['$__all'] },
});
