import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../logger/create-logger.ts';
import { startTelemetry } from './start-telemetry.ts';

type Received = { path: string; body: string };

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
      received.push({ path: request.url ?? '', body });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterEach(() => {
  collector.closeAllConnections();
  collector.close();
  for (const registered of [trace, metrics, context, propagation]) registered.disable();
});

const start = (to: string | undefined): ReturnType<typeof startTelemetry> => {
  const destination = { write: (line: string): void => void lines.push(line) };
  const logger = createLogger({ service: 'gateway', instanceId: 'i1', level: 'info', destination });
  return startTelemetry({ service: 'gateway', instanceId: 'i1', endpoint: to, logger });
};

describe('startTelemetry', () => {
  it("exports spans and metrics under the service's name, at the latest when it stops", async () => {
    const telemetry = await start(`${endpoint}/otlp`);
    trace.getTracer('t').startActiveSpan('verify-agent', (span) => span.end());
    metrics.getMeter('m').createCounter('calls_total').add(3);
    await telemetry.stop();
    const sentTo = (path: string): string =>
      received
        .filter((item) => item.path === path)
        .map((item) => item.body)
        .join();
    expect(sentTo('/otlp/v1/traces')).toContain('verify-agent');
    expect(sentTo('/otlp/v1/traces')).toContain('service.instance.id');
    expect(sentTo('/otlp/v1/metrics')).toContain('calls_total');
    expect(sentTo('/otlp/v1/metrics')).toContain('process.memory.usage');
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
    metrics.getMeter('m').createCounter('lost_total').add(1);
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
