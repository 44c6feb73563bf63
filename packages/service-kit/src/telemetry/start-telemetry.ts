import type { Logger } from '../logger/create-logger.ts';

export type Telemetry = { stop(): Promise<void> };
export type TelemetryOptions = {
  service: string;
  instanceId: string;
  /** Base address of an OTLP/HTTP collector; `v1/traces` and `v1/metrics` are appended. Undefined: no telemetry. */
  endpoint: string | undefined;
  logger: Logger;
};

/** Registers traces and metrics, exported over OTLP/HTTP. Without an endpoint the SDK (about 25 MB) is not loaded and the API stays a no-op. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  if (options.endpoint === undefined) return { stop: () => Promise.resolve() };
  const { startOtlpExport } = await import('./otlp-export.ts');
  return startOtlpExport({ ...options, endpoint: options.endpoint });
}
