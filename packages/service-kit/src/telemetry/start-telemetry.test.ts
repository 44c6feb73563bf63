import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Recorder } from '@agent-trust/metrics';
import { context, propagation, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logger/create-logger.ts';
import { registryVersion } from '../version.ts';
import { startTelemetry } from './start-telemetry.ts';

type Received = { path: string; body: string; headers: IncomingHttpHeaders };

/** Replaces an OTLP collector and keeps what it receives. */
let collector: Server;
let received: Received[];
let lines: string[];
let endpoint: string;
let status: number;

beforeEach(async () => {
  received = [];
  status = 200;
  lines = [];
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body, headers: request.headers });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterEach(() => {
  collector.closeAllConnections();
  collector.close();
  for (const registered of [trace, context, propagation]) registered.disable();
});

const start = (
  to: string | undefined,
  { servesMetrics = false, metrics = new Recorder() } = {},
): ReturnType<typeof startTelemetry> => {
  const destination = { write: (line: string): void => void lines.push(line) };
  const logger = createLogger({ service: 'call-proxy', instanceId: 'i1', level: 'info', destination });
  return startTelemetry({
    service: 'call-proxy',
    instanceId: 'i1',
    endpoint: to,
    sampling: { sampler: 'always_on', ratio: undefined },
    isEdge: true,
    servesMetrics,
    logger,
    metrics,
  });
};

describe('startTelemetry', () => {
  it("exports spans and metrics under the service's name, at the latest when it stops", async () => {
    const metrics = new Recorder();
    const telemetry = await start(`${endpoint}/otlp`, { metrics });
    trace.getTracer('t').startActiveSpan('verify-agent', (span) => span.end());
    metrics.counter('registry.replica.reads').with({ 'registry.result': 'hit' }).add(3);
    metrics.histogram('registry.append.batch.size').with({}).record(2);
    await telemetry.stop();
    const sentTo = (path: string): string =>
      received
        .filter((item) => item.path === path)
        .map((item) => item.body)
        .join();
    expect(sentTo('/otlp/v1/traces')).toContain('verify-agent');
    expect(sentTo('/otlp/v1/traces')).toContain('service.instance.id');
    for (const name of [
      'registry.replica.reads',
      'registry.append.batch.size',
      'process.memory.usage',
      'service.version',
    ])
      expect(sentTo('/otlp/v1/metrics')).toContain(name);
  });

  it('writes the metrics as text, with names and units as Prometheus has them', async () => {
    const metrics = new Recorder();
    const telemetry = await start(undefined, { servesMetrics: true, metrics });
    metrics.counter('registry.replica.reads').with({ 'registry.result': 'hit' }).add(3);
    metrics.histogram('registry.append.duration').with({ 'error.type': 'event_log_timeout' }).record(0.03);
    const lines = (await telemetry.metricsText?.())?.split('\n') ?? [];
    await telemetry.stop();
    expect(lines).toContain('# TYPE registry_replica_reads_total counter');
    expect(lines).toContain('registry_replica_reads_total{registry_result="hit"} 3');
    expect(lines).toContain('registry_replica_reads_total{registry_result="miss"} 0');
    expect(lines).toContain('# TYPE registry_append_duration_seconds histogram');
    expect(lines).toContain('registry_append_duration_seconds_bucket{error_type="event_log_timeout",le="0.025"} 0');
    expect(lines).toContain('registry_append_duration_seconds_bucket{error_type="event_log_timeout",le="0.05"} 1');
    expect(lines).toContain('registry_append_duration_seconds_bucket{error_type="event_log_timeout",le="+Inf"} 1');
    expect(lines).toContain('registry_append_duration_seconds_count{error_type="event_log_timeout"} 1');
    expect(lines.find((line) => line.startsWith('target_info{'))).toContain(
      `service_version="${registryVersion}",service_instance_id="i1"`,
    );
    for (const name of [
      'process_cpu_time_seconds_total',
      'nodejs_eventloop_delay_p99_seconds',
      'v8js_memory_heap_used_bytes',
    ])
      expect(lines.filter((line) => line.startsWith(`# TYPE ${name} `))).toHaveLength(1);
  });

  it('measures nothing of the process and has no text unless it is asked for', async () => {
    const metrics = new Recorder();
    const telemetry = await start(undefined, { metrics });
    expect([telemetry.metricsText, (await metrics.collect('gateway')).metrics]).toEqual([null, []]);
    await telemetry.stop();
  });

  it('reports once a minute that a metric cannot be read, and has the others', async () => {
    const metrics = new Recorder();
    metrics.observe(() => Promise.reject(new Error('the database is down')));
    const telemetry = await start(undefined, { servesMetrics: true, metrics });
    for (let at = 0; at < 3; at += 1) expect(await telemetry.metricsText?.()).toContain('process_uptime_seconds');
    await telemetry.stop();
    expect(lines.filter((line) => line.includes('the database is down'))).toHaveLength(1);
  });

  it("follows OpenTelemetry's environment: headers of the collector, attributes of the resource", async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=globex,authorization=Bearer%20t');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=staging,service.namespace=ours');
    const telemetry = await start(endpoint);
    trace.getTracer('t').startSpan('x').end();
    await telemetry.stop();
    vi.unstubAllEnvs();
    const [sent] = received.filter(({ path }) => path === '/v1/traces');
    expect(sent?.headers).toMatchObject({ 'x-tenant': 'globex', authorization: 'Bearer t' });
    for (const text of ['staging', 'ours', 'service.version', registryVersion]) expect(sent?.body).toContain(text);
    expect(sent?.body).not.toContain('agent-trust-registry');
  });

  it('does nothing without an endpoint', async () => {
    const telemetry = await start(undefined);
    const isRecording = trace.getTracer('t').startActiveSpan('x', (span) => span.isRecording());
    await telemetry.stop();
    expect([isRecording, received.length]).toEqual([false, 0]);
  });

  it('reports once that the collector refuses data', async () => {
    status = 400;
    const telemetry = await start(endpoint);
    trace.getTracer('t').startSpan('lost').end();
    await telemetry.stop();
    await vi.waitFor(() => expect(lines.filter((line) => line.includes('could not be exported'))).toHaveLength(1));
  });

  it('stops within its deadline if the collector is down', async () => {
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
    const telemetry = await start(endpoint);
    trace.getTracer('t').startSpan('lost').end();
    await expect(telemetry.stop()).resolves.toBeUndefined();
  });
});
