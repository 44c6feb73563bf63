import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withFallback } from '@agent-trust/limits';
import type { BaseConfig } from '../config/base-settings.ts';
import { type HealthReport, healthReport, reportWithout } from './health-report.ts';

/** What a service reports once it has started. */
export type HealthSource = {
  /** For `/readyz`: false (or a rejection) is answered 503. Absent: ready once `start` has resolved. */
  ready?(): boolean | Promise<boolean>;
  /** State of the service's dependencies; `down` is also answered 503. */
  health?(): HealthReport | Promise<HealthReport>;
};

type ServedHealth = {
  /** Null when HEALTH_PORT is unset. */
  port: number | null;
  serviceStarting(detail: string): void;
  serviceStarted(service: HealthSource): void;
  close(): Promise<void>;
};

/** Serves the health of a service from before it has started until after it has stopped. */
export async function serveHealth(
  config: BaseConfig,
  {
    isStopping,
    waitsFor,
    metricsText = null,
  }: { isStopping: () => boolean; waitsFor: () => string; metricsText?: (() => Promise<string>) | null },
): Promise<ServedHealth> {
  let running: HealthSource | undefined;
  let starting = 'starting';
  const readiness = async (): Promise<HealthReport> => {
    if (isStopping()) return down('stopping');
    if (!running) return down(waitsFor() === '' ? starting : `starting: ${waitsFor()}`);
    const report = (await running.health?.()) ?? healthReport({ service: { status: 'ok' } });
    const isReady = (await running.ready?.()) ?? true;
    return isReady
      ? report
      : { status: 'down', parts: { ...report.parts, service: { status: 'down', detail: 'not ready' } } };
  };
  const { HEALTH_HOST: host, HEALTH_PORT: port } = config;
  const server = port === undefined ? undefined : await startHealthServer({ host, port, readiness, metricsText });
  return {
    port: server?.port ?? null,
    serviceStarting: (detail) => {
      starting = `starting: ${detail}`;
    },
    serviceStarted: (service) => {
      running = service;
    },
    close: async () => server?.close(),
  };
}

/** Longest wait for the health of a service before it counts as down. */
const healthTimeoutMs = 2_000;
const connectionsMax = 32;
const headersTimeoutMs = 5_000;

export type HealthServer = { port: number; close(): Promise<void> };

/**
 * Serves `GET /livez` (200 while the process answers; also under its older name `/healthz`), `GET /readyz` (the report; 503 if it is
 * down) and `GET /metrics` (Prometheus' text). `/readyz?exclude=<part>` shows that part, and does not count it; it may be repeated. A load
 * balancer excludes what all instances share: it would take every instance out at once, and end what still works.
 *
 * @throws if it cannot listen on the port
 */
export async function startHealthServer(options: {
  host: string;
  /** 0 takes any free port. */
  port: number;
  readiness: () => Promise<HealthReport>;
  /** Absent: `/metrics` is 404. */
  metricsText?: (() => Promise<string>) | null;
}): Promise<HealthServer> {
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: headersTimeoutMs },
    (request, response) => {
      const [path, query] = (request.url ?? '').split('?', 2);
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return send(response, 405, { status: 'method_not_allowed' });
      if (path === '/livez' || path === '/healthz') return send(response, 200, { status: 'ok' });
      if (path === '/metrics' && options.metricsText) return void sendMetrics(response, options.metricsText);
      if (path !== '/readyz') return send(response, 404, { status: 'not_found' });
      void withinTimeout(options.readiness).then((all) => {
        const report = reportWithout(new URLSearchParams(query).getAll('exclude'), all);
        send(response, report.status === 'down' ? 503 : 200, report);
      });
    },
  );
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The report, or one that says why there is none: a health check always gets an answer. */
export async function withinTimeout(readiness: () => Promise<HealthReport>): Promise<HealthReport> {
  try {
    return await withFallback(readiness(), healthTimeoutMs, () => down(`no answer within ${healthTimeoutMs} ms`));
  } catch (error) {
    return down(error instanceof Error ? error.name : 'failed');
  }
}

/** The format that Prometheus asks for; it refuses an answer that does not say it. */
const prometheusFormat = 'text/plain; version=0.0.4; charset=utf-8';

const sendMetrics = async (response: ServerResponse, metricsText: () => Promise<string>): Promise<void> => {
  try {
    const text = await metricsText();
    response.writeHead(200, { 'content-type': prometheusFormat, 'cache-control': 'no-store' }).end(text);
  } catch (error) {
    send(response, 500, { status: 'failed', detail: error instanceof Error ? error.name : 'failed' });
  }
};

const down = (detail: string): HealthReport => healthReport({ service: { status: 'down', detail } });

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};
