import { monitorEventLoopDelay } from 'node:perf_hooks';
import { withFallback } from '@agent-trust/limits';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Telemetry, TelemetryOptions } from './start-telemetry.ts';

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
  eventLoopResolutionMs: 20,
} as const;

/** Starts the OpenTelemetry SDK; call it through `startTelemetry`, which loads this file only if it is needed. */
export function startOtlpExport(options: TelemetryOptions & { endpoint: string }): Telemetry {
  const base = options.endpoint.endsWith('/') ? options.endpoint : `${options.endpoint}/`;
  const exporterOptions = (path: string): object => ({
    url: new URL(path, base).href,
    timeoutMillis: limits.exportTimeoutMs,
    concurrencyLimit: limits.exportsAtOnceMax,
  });
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.namespace': 'agent-trust-registry',
    'service.instance.id': options.instanceId,
  });
  logFailures(options);

  const tracerProvider = new TracerProvider({
    resource,
    spanLimits: {
      attributeCountLimit: limits.attributesPerSpanMax,
      attributeValueLengthLimit: limits.attributeCharactersMax,
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exporterOptions('v1/traces')),
        maxQueueSize: limits.queuedSpansMax,
        maxExportBatchSize: limits.batchSpansMax,
        scheduledDelayMillis: limits.spanDelayMs,
        exportTimeoutMillis: limits.exportTimeoutMs,
      }),
    ],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(exporterOptions('v1/metrics')),
        exportIntervalMillis: limits.metricIntervalMs,
        exportTimeoutMillis: limits.exportTimeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  const stopObserving = observeProcess();

  return {
    stop: async () => {
      stopObserving();
      // A collector that is down must not delay the end of the process.
      const ended = Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
      await withFallback(ended, limits.stopTimeoutMs, () => undefined);
    },
  };
}

const logFailures = ({ logger }: TelemetryOptions): void => {
  let silentUntil = 0;
  setGlobalErrorHandler((error) => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + limits.failureLogIntervalMs;
    logger.warn({ err: error }, 'telemetry could not be exported');
  });
};

/** Reports memory and event loop delay of this process; returns a function that stops the reports. */
const observeProcess = (): (() => void) => {
  const meter = metrics.getMeter('@agent-trust/service-kit');
  const delay = monitorEventLoopDelay({ resolution: limits.eventLoopResolutionMs });
  delay.enable();
  const memory = meter.createObservableGauge('process.memory.usage', { unit: 'By', description: 'Resident memory' });
  const eventLoop = meter.createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's' });
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
  eventLoop.addCallback((result) => {
    result.observe(delay.percentile(99) / 1e9);
    delay.reset();
  });
  return () => delay.disable();
};
