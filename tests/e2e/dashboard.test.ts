/**
 * Bug: a rule or a panel names a label or a value that no service has, and stays silent or empty for ever. Method: a real Prometheus, with the
 * committed configuration and rules, scrapes every service after traffic, and is asked for everything that the rules record and the panels show.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nodeJob, rows, withAllChosen } from '@agent-trust/dashboards';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { stack } from '../support/ask.ts';
import { findPrometheus, type ScrapeTarget, startPrometheus, testIntervals } from '../support/prometheus.ts';
import type { RecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';
import { causeTraffic } from '../support/traffic.ts';

const folder = resolve(import.meta.dirname, '../../infra/observability/prometheus');
const work = mkdtempSync(join(tmpdir(), 'prometheus-package-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const found = await findPrometheus(work).catch((error: unknown) => {
  if (process.env['CI'] === 'true') throw error;
  process.stderr.write(`skipped: there is no Prometheus; as root, apt-get install prometheus (${String(error)})\n`);
  return null;
});

/** Panels that are empty as long as nothing is wrong, or without node exporter. */
const emptyInPeace = new Set([
  'Agents without an answer',
  'Appends without success',
  'Waits that ended without it',
  'Free disk space',
]);
const queries = rows.flatMap((row) =>
  row.panels.flatMap(({ title, queries: own }) => own.map((query) => ({ row: row.title, title, ...query }))),
);

type Config = { rule_files: string[]; scrape_configs: { job_name: string; static_configs?: object[] }[] };
type Rules = {
  groups: { file: string; rules: { type: string; name: string; health: string; lastError?: string }[] }[];
};
type Vector = { result: { metric: Record<string, string>; value: [number, string] }[] };

/** The committed configuration; only where the services are, and how often it looks, is another. */
const configFor = (targets: readonly ScrapeTarget[]): object => {
  const config = parse(readFileSync(join(folder, 'prometheus.yml'), 'utf8')) as Config;
  return {
    ...config,
    global: testIntervals,
    rule_files: config.rule_files.map((path) => join(folder, path)),
    scrape_configs: config.scrape_configs
      .filter(({ job_name: job }) => job !== nodeJob)
      .map(({ job_name: job }) => ({
        job_name: job,
        static_configs: targets
          .filter(({ service }) => service === job)
          .map(({ url }) => ({ targets: [new URL(url).host] })),
      })),
  };
};

describe.skipIf(found === null)('a Prometheus with the committed configuration', () => {
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  let agent: RecordingAgent;
  let rules: Rules['groups'][number]['rules'];

  const ask = async (query: string): Promise<Vector['result']> =>
    (await prometheus.ask<Vector>('query', { query })).result;
  /** Asks until there is data: a scrape that a busy machine answers too late takes a service's series away until the next. */
  const askAgain = (query: string): Promise<Vector['result']> =>
    waitFor(
      async () => {
        const result = await ask(query);
        return result.length > 0 ? result : null;
      },
      { description: `data for ${query}` },
    );

  beforeAll(async () => {
    if (found === null) return;
    const targets = (await (await fetch(stack.metricsUrl)).json()) as ScrapeTarget[];
    prometheus = await startPrometheus(found, targets, configFor(targets));
    // Series that begin with the traffic would have no rate yet: they are scraped before and after.
    agent = await causeTraffic(unique('first'));
    await prometheus.untilScraped();
    await (await causeTraffic(unique('second'))).stop();
    await prometheus.untilScraped();
    await waitFor(async () => (await ask('registry:verify_slow:ratio_3d')).length > 0);
    rules = (await prometheus.ask<Rules>('rules')).groups.flatMap((group) => group.rules);
  }, 400_000);
  afterAll(async () => {
    await prometheus?.stop();
    await agent?.stop();
  });

  it('evaluates every rule', () => {
    expect(rules.length).toBeGreaterThan(30);
    expect(rules.filter(({ health, lastError = '' }) => health !== 'ok' || lastError !== '')).toEqual([]);
  });

  it('records every series that the rules name', async () => {
    const recorded = rules.flatMap(({ type, name }) => (type === 'recording' ? [name] : []));
    expect(recorded.length).toBeGreaterThan(15);
    const empty: string[] = [];
    for (const name of recorded) if ((await askAgain(name)).length === 0) empty.push(name);
    expect(empty).toEqual([]);
  });

  it('has the services that the dashboard offers', async () => {
    const jobs = await prometheus.ask<string[]>('label/job/values', { 'match[]': 'registry_bus_connected' });
    expect(jobs.toSorted()).toEqual(['call-proxy', 'gateway', 'pay-proxy', 'registry-write', 'trust-projection']);
  });

  it.each(queries)('has data for $row: $title ($legend)', async ({ title, expression }) => {
    const mayBeEmpty = emptyInPeace.has(title);
    const result = await (mayBeEmpty ? ask : askAgain)(withAllChosen(expression, '2m'));
    expect(result.length > 0 || mayBeEmpty).toBe(true);
  });

  it('shows what was done', async () => {
    const value = async (query: string): Promise<number> => Number((await askAgain(query))[0]?.value[1]);
    expect(await value('registry:http_requests:rate5m')).toBeGreaterThan(0);
    expect(await value('registry:verify_requests:rate5m')).toBeGreaterThan(0);
    expect(await value('registry:appends:rate5m')).toBeGreaterThan(0);
    // On a busy machine an append may end without success, which is counted.
    expect(await value('registry:append_failures:rate5m')).toBeLessThan(await value('registry:appends:rate5m'));
    expect(await value('registry:verify_duration_seconds:p99_5m')).toBeGreaterThan(0);
  });
});
