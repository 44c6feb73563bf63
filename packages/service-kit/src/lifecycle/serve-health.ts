import type { BaseConfig } from '../config/base-settings.ts';
import { type HealthReport, healthReport } from '../health/health-report.ts';
import { startHealthServer } from '../health/health-server.ts';

/** What a service reports once it has started. */
export type HealthSource = {
  /** For `/readyz`: false (or a rejection) is answered 503. Absent: ready once `start` has resolved. */
  ready?(): boolean | Promise<boolean>;
  /** State of the service's dependencies; `down` is also answered 503. */
  health?(): HealthReport | Promise<HealthReport>;
};

export type ServedHealth = {
  /** The port listened on, or null when HEALTH_PORT is unset. */
  port: number | null;
  serviceStarting(detail: string): void;
  serviceStarted(service: HealthSource): void;
  close(): Promise<void>;
};

/** Serves the health of a service from before it has started until after it has stopped. */
export async function serveHealth(config: BaseConfig, isStopping: () => boolean): Promise<ServedHealth> {
  let running: HealthSource | undefined;
  let starting = 'starting';
  const serviceStarting = (detail: string): void => {
    starting = `starting: ${detail}`;
  };
  const serviceStarted = (service: HealthSource): void => {
    running = service;
  };
  if (config.HEALTH_PORT === undefined) {
    return { port: null, serviceStarting, serviceStarted, close: () => Promise.resolve() };
  }
  const readiness = async (): Promise<HealthReport> => {
    if (isStopping()) return healthReport({ service: { status: 'down', detail: 'stopping' } });
    if (!running) return healthReport({ service: { status: 'down', detail: starting } });
    const report = (await running.health?.()) ?? healthReport({ service: { status: 'ok' } });
    const isReady = (await running.ready?.()) ?? true;
    return isReady
      ? report
      : { status: 'down', parts: { ...report.parts, service: { status: 'down', detail: 'not ready' } } };
  };
  const server = await startHealthServer({ host: config.HEALTH_HOST, port: config.HEALTH_PORT, readiness });
  return { port: server.port, serviceStarting, serviceStarted, close: () => server.close() };
}
