import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withFallback } from '@agent-trust/limits';
import { type HealthReport, healthReport } from './health-report.ts';

/** Longest wait for the health of a service before it counts as down. */
export const healthTimeoutMs = 2_000;
const connectionsMax = 32;
const headersTimeoutMs = 5_000;

export type HealthServer = { port: number; close(): Promise<void> };

/**
 * Serves `GET /healthz` (200 while the process answers) and `GET /readyz` (the report as JSON; 503 if it is down).
 *
 * @throws if the port cannot be listened on.
 */
export async function startHealthServer(options: {
  host: string;
  /** 0 takes any free port. */
  port: number;
  readiness: () => Promise<HealthReport>;
}): Promise<HealthServer> {
  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: headersTimeoutMs },
    (request, response) => {
      const path = request.url?.split('?', 1)[0];
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return send(response, 405, { status: 'method_not_allowed' });
      if (path === '/healthz') return send(response, 200, { status: 'ok' });
      if (path !== '/readyz') return send(response, 404, { status: 'not_found' });
      void withinTimeout(options.readiness).then((report) =>
        send(response, report.status === 'down' ? 503 : 200, report),
      );
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

const down = (detail: string): HealthReport => healthReport({ service: { status: 'down', detail } });

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
};
