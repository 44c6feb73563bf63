import { withFallback } from '@agent-trust/limits';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { frugalTracers } from './frugal-tracers.ts';
import { scopeMetricsOf } from './metric-data.ts';
import { resourceOf } from './resource.ts';
import { drawOf, followsParent, samplerOf } from './sampler.ts';
import type { Collect, Telemetry, TelemetryOptions } from './start-telemetry.ts';

const limits = {
  queuedSpansMax: 2_048,
  batchSpansMax: 512,
  spanDelayMs: 2_000,
  metricIntervalMs: 15_000,
  exportTimeoutMs: 5_000,
  exportsAtOnceMax: 4,
  attributesPerSpanMax: 64,
  attributeCharactersMax: 1_024,
  /** A collector that is down is logged now and then, not for each batch. */
  failureLogIntervalMs: 60_000,
  stopTimeoutMs: 2_000,
} as const;

type OtlpOptions = TelemetryOptions & { endpoint: string };

/** Starts the OpenTelemetry SDK; call it through `startTelemetry`, which loads this file only if it is needed. */
export function startOtlpExport(options: OtlpOptions, collect: Collect): Pick<Telemetry, 'stop'> {
  logFailures(options);
  const resource = resourceOf(options);
  const providers = [startTraces(options, resource), startMetrics(options, resource, collect)];
  return {
    stop: async () => {
      // A collector that is down must not delay the end of the process.
      const ended = Promise.allSettled(providers.map((provider) => provider.shutdown()));
      await withFallback(ended, limits.stopTimeoutMs, () => undefined);
    },
  };
}

const exporterOptions = ({ endpoint }: OtlpOptions, path: string) => ({
  url: new URL(path, endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
  timeoutMillis: limits.exportTimeoutMs,
  concurrencyLimit: limits.exportsAtOnceMax,
});

const startTraces = (options: OtlpOptions, resource: Resource): TracerProvider => {
  const { sampling, isEdge } = options;
  const provider = new TracerProvider({
    resource,
    // At the edge, what is not drawn does not come as far as here.
    sampler: isEdge ? new AlwaysOnSampler() : samplerOf(sampling),
    spanLimits: {
      attributeCountLimit: limits.attributesPerSpanMax,
      attributeValueLengthLimit: limits.attributeCharactersMax,
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exporterOptions(options, 'v1/traces')),
        maxQueueSize: limits.queuedSpansMax,
        maxExportBatchSize: limits.batchSpansMax,
        scheduledDelayMillis: limits.spanDelayMs,
        exportTimeoutMillis: limits.exportTimeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    frugalTracers(provider, {
      drawn: isEdge ? drawOf(sampling) : undefined,
      // Where spans follow their parent, there is nothing to pass on of what is not recorded.
      namesUnrecorded: !followsParent(sampling),
      followsParent: isEdge || followsParent(sampling),
    }),
  );
  return provider;
};

/** Sends what `Recorder` has counted; no instrument is OpenTelemetry's. */
const startMetrics = (options: OtlpOptions, resource: Resource, collect: Collect): MeterProvider =>
  new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(exporterOptions(options, 'v1/metrics')),
        exportIntervalMillis: limits.metricIntervalMs,
        exportTimeoutMillis: limits.exportTimeoutMs,
        metricProducers: [
          {
            collect: async () => ({
              // The reader takes the provider's resource.
              resourceMetrics: { resource, scopeMetrics: scopeMetricsOf(await collect()) },
              errors: [],
            }),
          },
        ],
      }),
    ],
  });

const logFailures = ({ logger }: TelemetryOptions): void => {
  let silentUntil = 0;
  setGlobalErrorHandler((error) => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + limits.failureLogIntervalMs;
    logger.warn({ err: error }, 'telemetry could not be exported');
  });
};
