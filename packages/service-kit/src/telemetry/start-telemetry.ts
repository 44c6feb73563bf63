import { type Collection, processMetrics, type Recorder } from '@agent-trust/metrics';
import type { Logger } from '../logger/create-logger.ts';
import { observeProcess } from './observe-process.ts';
import type { Sampling } from './sampling.ts';

export type Telemetry = {
  /** The metrics in Prometheus' text format, for `/metrics`; null if this process does not serve them. */
  metricsText: (() => Promise<string>) | null;
  stop(): Promise<void>;
};

export type TelemetryOptions = {
  service: string;
  instanceId: string;
  /** Base address of an OTLP/HTTP collector; `v1/traces` and `v1/metrics` are appended. Undefined: nothing is sent. */
  endpoint: string | undefined;
  sampling: Sampling;
  /** Whether anybody may send requests with a trace context to this process. */
  isEdge: boolean;
  /** Whether `metricsText` is wanted. */
  servesMetrics: boolean;
  logger: Logger;
  metrics?: Recorder;
};

/**
 * Lets telemetry leave this process: traces and metrics over OTLP/HTTP to the endpoint, metrics also as text. OpenTelemetry's SDK (about 25 MB) is
 * loaded only for an endpoint, the serializer of the text (about 5 MB) when the text is first asked for: metrics are counted without either.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { endpoint, servesMetrics, metrics = processMetrics } = options;
  const stopObserving = endpoint !== undefined || servesMetrics ? observeProcess(metrics) : () => undefined;
  const collect = collectAndReport(options, metrics);
  const exporting =
    endpoint === undefined
      ? null
      : (await import('./otlp-export.ts')).startOtlpExport({ ...options, endpoint }, collect);
  return {
    metricsText: servesMetrics ? textOf(options, collect) : null,
    stop: async () => {
      await exporting?.stop();
      stopObserving();
    },
  };
}

export type Collect = () => Promise<Collection>;

/** A fault of one metric is logged now and then, not at each collection. */
const faultLogIntervalMs = 60_000;

const collectAndReport = ({ service, logger }: TelemetryOptions, metrics: Recorder): Collect => {
  let silentUntil = 0;
  return async () => {
    const collection = await metrics.collect(service);
    const [err] = collection.errors;
    if (err !== undefined && Date.now() >= silentUntil) {
      silentUntil = Date.now() + faultLogIntervalMs;
      logger.warn({ err }, 'some metrics could not be read and are left out');
    }
    return collection;
  };
};

const textOf = (options: TelemetryOptions, collect: Collect): (() => Promise<string>) => {
  let loading: Promise<(collection: Collection) => string> | undefined;
  return async () => {
    loading ??= import('./prometheus-text.ts').then(({ prometheusText }) => prometheusText(options));
    return (await loading)(await collect());
  };
};
