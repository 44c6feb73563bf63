/** Bugs: a part of the profile `observability` that does not start, or does not find another: a misspelt component, address, port or path. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serviceNames } from '@agent-trust/metrics';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nodeJob } from './foreign-metrics.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = <Content>(path: string): Content =>
  parse(readFileSync(join(root, path), 'utf8'), { merge: true }) as Content;

type Service = {
  image?: string;
  profiles?: string[];
  networks: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  command?: string[];
};
const { services, networks } = read<{
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
}>('docker-compose.yml');
const observers = Object.entries(services).filter(([, { profiles = [] }]) => profiles.includes('observability'));

/** That a service of Compose can reach another by an address such as `http://tempo:3200`. */
const reaches = (from: string, url: string): boolean => {
  const to = services[new URL(url).hostname]?.networks ?? [];
  return (services[from]?.networks ?? []).some((network) => to.includes(network));
};

describe('the profile observability', () => {
  it.each(observers)('%s has an image of one version, files that exist, and few rights', (_name, service) => {
    expect(service.image).toMatch(/:v?\d+\.\d+\.\d+$/u);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const files = (service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((path) => path.startsWith('./'));
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('lets nobody from outside at the collector, and services at nothing else', () => {
    expect(networks['telemetry']?.internal).toBe(true);
    for (const name of serviceNames) expect(services[name]?.networks).not.toContain('observability');
  });
});

describe('prometheus.yml', () => {
  type Job = {
    job_name: string;
    dns_sd_configs?: { names: string[]; type: string; port: number }[];
    static_configs?: { targets: string[] }[];
  };
  const jobs = read<{ scrape_configs: Job[] }>('infra/observability/prometheus/prometheus.yml').scrape_configs;

  it('scrapes every instance of every service at its health port, which is open to it', () => {
    expect(jobs.map(({ job_name: job }) => job).toSorted()).toEqual([...serviceNames, nodeJob].toSorted());
    for (const { job_name: job, dns_sd_configs: found = [] } of jobs.filter((one) => one.job_name !== nodeJob)) {
      const { HEALTH_PORT: port, HEALTH_HOST: host } = services[job]?.environment ?? {};
      expect(found).toMatchObject([{ names: [job], type: 'A', port: Number(port) }]);
      expect([host, reaches('prometheus', `http://${job}`)]).toEqual(['0.0.0.0', true]);
    }
  });

  it('scrapes node exporter', () => {
    const [target = ''] = jobs.flatMap(({ static_configs: configs = [] }) => configs.flatMap(({ targets }) => targets));
    expect([target, reaches('prometheus', `http://${target}`)]).toEqual(['node-exporter:9100', true]);
  });
});

describe('the collector', () => {
  type Pipeline = { receivers: string[]; processors: string[]; exporters: string[] };
  const config = read<{
    receivers: object;
    processors: object;
    exporters: Record<string, { endpoint?: string }>;
    service: { pipelines: Record<string, Pipeline> };
  }>('infra/observability/collector/config.yml');
  const pipelines = Object.entries(config.service.pipelines);

  // The components of the distribution `otelcol` that are of use here; `otelcol validate` would say more.
  it('uses components that its image has, each declared and each in a pipeline', () => {
    const known = {
      receivers: ['otlp'],
      processors: ['memory_limiter', 'batch'],
      exporters: ['otlphttp', 'nop', 'debug'],
    } as const;
    for (const part of ['receivers', 'processors', 'exporters'] as const) {
      const declared = Object.keys(config[part]);
      expect(declared.filter((name) => !known[part].some((one) => one === name.split('/')[0]))).toEqual([]);
      expect([...new Set(pipelines.flatMap(([, pipeline]) => pipeline[part]))].toSorted()).toEqual(declared.toSorted());
    }
    expect(Object.keys(config)).toEqual(['receivers', 'processors', 'exporters', 'service']);
  });

  it('takes what services send, traces and metrics, and refuses first of all when memory is short', () => {
    expect(pipelines.map(([signal]) => signal)).toEqual(['traces', 'metrics']);
    expect(pipelines.map(([, { processors }]) => processors[0])).toEqual(['memory_limiter', 'memory_limiter']);
    expect(config.receivers).toEqual({ otlp: { protocols: { http: { endpoint: '0.0.0.0:4318' } } } });
    for (const name of serviceNames) expect(reaches(name, 'http://otel-collector:4318')).toBe(true);
  });

  it('sends to the port at which Tempo listens', () => {
    const { endpoint = '' } = config.exporters['otlphttp/tempo'] ?? {};
    const tempo = read<{ distributor: { receivers: { otlp: { protocols: { http: { endpoint: string } } } } } }>(
      'infra/observability/tempo/tempo.yml',
    );
    expect(new URL(endpoint).port).toBe(tempo.distributor.receivers.otlp.protocols.http.endpoint.split(':')[1]);
    expect(reaches('otel-collector', endpoint)).toBe(true);
  });
});

describe('Grafana', () => {
  it('finds its data sources, at the ports at which they listen', () => {
    const { datasources } = read<{ datasources: { type: string; url: string }[] }>(
      'infra/observability/grafana/provisioning/datasources/registry.yml',
    );
    expect(datasources.map(({ url }) => [url, reaches('grafana', url)])).toEqual([
      ['http://prometheus:9090', true],
      ['http://tempo:3200', true],
    ]);
    expect(read<{ server: { http_listen_port: number } }>('infra/observability/tempo/tempo.yml').server).toMatchObject({
      http_listen_port: 3200,
    });
  });

  it('finds the dashboard where Compose puts it', () => {
    const { providers } = read<{ providers: { options: { path: string } }[] }>(
      'infra/observability/grafana/provisioning/dashboards/registry.yml',
    );
    const mounted = services['grafana']?.volumes ?? [];
    for (const { options } of providers)
      expect(mounted).toContain(`./infra/observability/grafana/dashboards:${options.path}:ro`);
    expect(existsSync(join(root, 'infra/observability/grafana/dashboards/registry.json'))).toBe(true);
  });
});
