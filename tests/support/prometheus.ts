import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, programsIn, unpackDistributionPackage } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';

const run = promisify(execFile);

export type PrometheusPrograms = { prometheus: string; promtool: string };

/**
 * Prometheus and promtool of PATH, or unpacked from the distribution's package into the empty folder `work`: nothing is installed, and no system
 * service starts. @throws Error if there is neither
 */
export async function findPrometheus(work: string): Promise<PrometheusPrograms> {
  const installed = await run('promtool', ['--version']).then(
    () => run('prometheus', ['--version']).then(() => true),
    () => false,
  );
  if (installed) return { prometheus: 'prometheus', promtool: 'promtool' };
  const root = await unpackDistributionPackage('prometheus', work);
  const [prometheus] = programsIn(root, 'prometheus');
  const [promtool] = programsIn(root, 'promtool');
  if (prometheus === undefined || promtool === undefined) throw new Error('the package contains no prometheus');
  return { prometheus, promtool };
}

/** What `promtool check metrics` says of a text in Prometheus' format, one line a fault. */
export async function checkMetrics({ promtool }: PrometheusPrograms, text: string): Promise<string[]> {
  const checking = run(promtool, ['check', 'metrics']);
  checking.child.stdin?.end(text);
  // It exits with 3 for what it only advises against.
  const { stdout, stderr } = await checking.catch((error: unknown) => error as { stdout: string; stderr: string });
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}

export type ScrapeTarget = { name: string; service: string; url: string };

type TargetState = { health: string; lastError: string; lastScrape: string };

/** Intervals for tests: of scraping, and of evaluating rules. A service that answers later than a scrape may take counts as gone until the next. */
export const testIntervals = { scrape_interval: '5s', scrape_timeout: '5s', evaluation_interval: '2s' } as const;

/** Scrapes these targets, with their names as `name` and `service`. */
const scraping = (targets: readonly ScrapeTarget[]): object => ({
  global: testIntervals,
  scrape_configs: [
    {
      job_name: 'registry',
      static_configs: targets.map(({ name, service, url }) => ({
        targets: [new URL(url).host],
        labels: { name, service },
      })),
    },
  ],
});

/** A Prometheus that scrapes these targets every few seconds, or as a configuration says. */
export async function startPrometheus(
  { prometheus }: PrometheusPrograms,
  targets: readonly ScrapeTarget[],
  config = scraping(targets),
) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  mkdirSync(join(folder, 'data'));
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child: ChildProcess = spawn(
    prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ask = async <Data>(path: string, query: Record<string, string> = {}): Promise<Data> => {
    const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(`Prometheus answered ${path}: ${error ?? status}`);
    return data;
  };
  return {
    ask,
    /** Resolves when each target was scraped without a fault after this moment. */
    untilScraped: async (): Promise<void> => {
      const after = Date.now();
      await waitFor(
        async () => {
          if (child.exitCode !== null) throw new Error(`Prometheus ended: ${output}`);
          const found = await ask<{ activeTargets: TargetState[] }>('targets', { state: 'active' }).catch(() => null);
          const scraped = found?.activeTargets.filter(
            ({ health, lastScrape }) => health === 'up' && Date.parse(lastScrape) > after,
          );
          return scraped?.length === targets.length;
        },
        { timeoutMs: 120_000, intervalMs: 250, description: 'a scrape of each target' },
      );
    },
    stop: async (): Promise<void> => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
