/** Bugs: a panel stays empty because a metric or a label has another name; a panel nobody can read; a dashboard that was changed by hand. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dashboardPath, dashboardText, rows } from './dashboard.ts';
import { withAllChosen } from './query.ts';
import { readExpression, unknownNames } from './testing/expression.ts';

const committed = readFileSync(resolve(import.meta.dirname, '../../..', dashboardPath), 'utf8');
const panels = rows.flatMap((row) => row.panels.map((panel) => ({ row: row.title, ...panel })));

type Placed = { id: number; type: string; title: string; gridPos: { x: number; y: number; w: number; h: number } };
type Dashboard = { panels: Placed[]; templating: { list: { name: string; query: string | { query: string } }[] } };
const dashboard = JSON.parse(committed) as Dashboard;

describe('the dashboard', () => {
  it('is what the code makes', () => {
    expect(committed, 'renew it: npx --yes pnpm --filter @agent-trust/dashboards dashboard:renew').toBe(
      dashboardText(),
    );
  });

  it('has a row for each part of the registry', () => {
    const titles = ['Traffic', 'Calls and payments', 'Writes', 'Projection', 'Log', 'Dependencies', 'Processes'];
    expect(rows.map(({ title }) => title)).toEqual(titles);
  });

  it('asks for the data source, the services and the instances', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
    expect(JSON.stringify(dashboard)).not.toMatch(/"uid":"(?!agent-trust-registry|\$\{datasource\})/u);
  });

  it('gives each panel a number and a place of its own', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it.each(panels)('$row: $title has a unit and says what it shows', ({ unit, description, queries }) => {
    expect(unit).not.toBe('');
    expect(description).toMatch(/^[A-Z0-9].{20,}\.$/u);
    expect(queries.length).toBeGreaterThan(0);
  });

  it.each(panels)('$row: $title asks for metrics and labels of the table', ({ queries }) => {
    for (const { expression, legend } of queries) {
      const read = readExpression(withAllChosen(expression));
      expect(unknownNames(read)).toEqual([]);
      // Metrics of others have no services to choose from.
      const own = read.selections.filter(({ metric }) => !metric.startsWith('node_'));
      expect(own.filter(({ labels }) => labels[0] !== 'job' || labels[1] !== 'instance')).toEqual([]);
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/gu)].map(([, label = '']) => label);
      const kept = own.length === 0 ? ['instance', 'mountpoint'] : read.grouping;
      expect(shown.filter((label) => !kept.includes(label))).toEqual([]);
    }
  });
});

describe('the reader of expressions', () => {
  it('finds names that nothing has', () => {
    const unknown = (text: string): string[] => unknownNames(readExpression(text));
    expect(unknown('sum by (job) (rate(registry_replica_reads_total{registry_result="hit"}[1m]))')).toEqual([]);
    expect(unknown('registry_replica_reads')).toEqual(['registry_replica_reads']);
    expect(unknown('registry_replica_reads_total{result="hit"}')).toEqual(['registry_replica_reads_total{result}']);
    expect(unknown('sum by (route) (registry_bus_connected)')).toEqual(['route']);
    expect(unknown('http_server_request_duration_seconds_count{le="1"}')).toHaveLength(1);
    expect(() => unknown('sum by job (registry_bus_connected)')).toThrow('not PromQL');
  });
});
