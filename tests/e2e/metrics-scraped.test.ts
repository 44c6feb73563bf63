/**
 * Bugs: a metric of the table that no service has, or under another name, kind or unit; one that the table does not have; an attribute that takes
 * its values from callers, so that each of them makes time series. Method: a real Prometheus scrapes every service after traffic of each kind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { exportedName, type MetricKind, type MetricRow, metricsTable } from '@agent-trust/metrics';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gateways, stack } from '../support/ask.ts';
import {
  checkMetrics,
  findPrometheus,
  type PrometheusPrograms,
  type ScrapeTarget,
  startPrometheus,
} from '../support/prometheus.ts';
import type { RecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';
import { causeTraffic } from '../support/traffic.ts';

type Labels = Record<string, string>;

const work = mkdtempSync(joinPath(tmpdir(), 'prometheus-package-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const found = await findPrometheus(work).catch((error: unknown) => {
  if (process.env['CI'] === 'true') throw error;
  process.stderr.write(`skipped: there is no Prometheus; as root, apt-get install prometheus (${String(error)})\n`);
  return null;
});

/** What Prometheus adds to each target, and what describes the target. */
const others = /^(up|scrape_.*|target_info)$/u;
const rows = Object.entries(metricsTable) as [string, MetricRow][];
const typeOf = (kind: MetricKind): string => (kind === 'up_down_counter' ? 'gauge' : kind);
const labelOf = (attribute: string): string => attribute.replaceAll('.', '_');
const made = unique('made-up');

describe.skipIf(found === null)('what Prometheus scrapes', () => {
  const programs = found as PrometheusPrograms;
  let targets: ScrapeTarget[];
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  let agent: RecordingAgent;
  let series: Labels[];
  let described: { target: Labels; metric: string; type: string; help: string }[];

  beforeAll(async () => {
    targets = (await (await fetch(stack.metricsUrl)).json()) as ScrapeTarget[];
    agent = await causeTraffic(made);
    prometheus = await startPrometheus(programs, targets);
    await prometheus.untilScraped();
    series = await prometheus.ask<Labels[]>('series', { 'match[]': '{service!=""}' });
    described = await prometheus.ask('targets/metadata', { match_target: '{service!=""}' });
  }, 300_000);
  afterAll(async () => {
    await prometheus?.stop();
    await agent?.stop();
  });

  const servicesWith = (name: string): string[] =>
    [...new Set(series.filter((one) => one['__name__'] === name).map(({ service = '' }) => service))].toSorted();

  it('is every service', () => {
    expect(targets.map(({ service }) => service)).toEqual(
      expect.arrayContaining(['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy']),
    );
    expect(servicesWith('target_info')).toEqual([...new Set(targets.map(({ service }) => service))].toSorted());
  });

  it.each(rows)('has %s under its name, in its services, of its kind and with its description', (name, row) => {
    const exported = exportedName(name, row);
    const own = described.filter(({ metric }) => metric === exported);
    expect([...new Set(own.map(({ type }) => type))]).toEqual([typeOf(row.kind)]);
    expect([...new Set(own.map(({ help }) => help))]).toEqual([row.description]);
    const sample = row.kind === 'histogram' ? `${exported}_bucket` : exported;
    expect(servicesWith(sample)).toEqual([...row.services].toSorted());
  });

  it('has nothing else', () => {
    const known = new Set(rows.map(([name, row]) => exportedName(name, row)));
    const unknown = described.filter(({ metric }) => !known.has(metric) && !others.test(metric));
    expect([...new Set(unknown.map(({ metric }) => metric))]).toEqual([]);
  });

  it('has the attributes of the table alone, with values of the program', () => {
    const byName = new Map(
      rows.flatMap(([name, row]): [string, MetricRow][] => {
        const exported = exportedName(name, row);
        return row.kind === 'histogram'
          ? ['_bucket', '_sum', '_count'].map((suffix) => [`${exported}${suffix}`, row])
          : [[exported, row]];
      }),
    );
    const faults = series.flatMap(
      ({ __name__: name = '', job: _job, instance: _i, service: _s, name: _n, le: _le, ...labels }) => {
        if (others.test(name)) return [];
        const attributes = Object.entries(byName.get(name)?.attributes ?? {});
        return Object.entries(labels).flatMap(([label, value]) => {
          const spec = attributes.find(([attribute]) => labelOf(attribute) === label)?.[1];
          const isAllowed = spec !== undefined && (spec.values === null || spec.values.includes(value));
          return isAllowed ? [] : [`${name}: ${label}="${value}"`];
        });
      },
    );
    expect(faults).toEqual([]);
    expect(series.filter((one) => JSON.stringify(one).includes(made))).toEqual([]);
    expect(series.filter(({ http_route: route }) => route !== undefined && !/^\/[\w:/{}.*-]*$/u.test(route))).toEqual(
      [],
    );
  });

  it('counts what was done', async () => {
    const sumOf = async (query: string): Promise<number> => {
      const { result } = await prometheus.ask<{ result: { value: [number, string] }[] }>('query', {
        query: `sum(${query})`,
      });
      return Number(result[0]?.value[1] ?? 0);
    };
    // A scrape that a busy machine answers too late takes a target's series away until the next.
    const atLeast = async (query: string, countMin: number): Promise<void> => {
      await waitFor(async () => (await sumOf(query)) >= countMin, { description: `${query} to be ${countMin}` });
    };
    await atLeast('http_server_request_duration_seconds_count{http_route="/call",http_response_status_code="200"}', 2);
    await atLeast('http_server_request_duration_seconds_count{http_route="",http_response_status_code="404"}', 1);
    await atLeast('registry_http_refusals_total{http_route="/call",error_type="agent_not_found"}', 1);
    await atLeast('registry_calls_refused_total{error_type="agent_not_found"}', 1);
    await atLeast('registry_payments_refused_total{error_type="agent_not_found"}', 1);
    await atLeast('registry_agent_answer_duration_seconds_count{service="call-proxy",error_type=""}', 2);
    await atLeast('registry_agent_answer_duration_seconds_count{service="pay-proxy",error_type=""}', 2);
    await atLeast('registry_call_added_duration_seconds_count', 2);
    await atLeast('registry_append_duration_seconds_count{service="call-proxy"}', 4);
    await atLeast('registry_projection_events_total{registry_projection="read_models"}', 8);
    await atLeast('registry_checkpoint_size', 1);
    await atLeast('registry_bus_connected', targets.length);
    expect(await sumOf('registry_projection_poisoned')).toBe(0);
  });

  it('is in order for promtool, except for one name of the semantic conventions', async () => {
    for (const { url } of targets) {
      const faults = await checkMetrics(programs, await (await fetch(url)).text());
      expect(faults.filter((line) => !line.startsWith('db_client_connection_count '))).toEqual([]);
    }
    expect(await checkMetrics(programs, 'x_milliseconds 1\nx_milliseconds 2\n')).not.toEqual([]);
  });
});

it('is not on the public port', async () => {
  for (const gateway of gateways) expect((await fetch(`${gateway}/metrics`)).status).toBe(404);
});
