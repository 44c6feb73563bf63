/**
 * Puts a switch in front of whatever a service registers with OpenTelemetry's API. Off, the API does what it does without an SDK. Exports by a timer
 * are replaced by `flush` and `exportMetrics`, so that those of one turn do not fall into the next.
 */
import {
  type ContextManager,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type TextMapPropagator,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider as SdkTracerProvider } from '@opentelemetry/sdk-trace';
import { methodOf, telemetry } from './switch.ts';

const providers = new Set<SdkTracerProvider>();
const readers = new Set<PeriodicExportingMetricReader>();

/** Sends the spans that have ended. */
export async function flush(): Promise<void> {
  await Promise.all(Array.from(providers, (provider) => provider.forceFlush()));
}

/** Collects and sends the metrics, as the reader's timer does every 15 seconds. */
export async function exportMetrics(): Promise<void> {
  await Promise.all(Array.from(readers, (reader) => reader.forceFlush()));
}

/** To be called before the service starts its telemetry. */
export function switchTraces(): void {
  keepExporters();
  const setProvider = trace.setGlobalTracerProvider.bind(trace);
  trace.setGlobalTracerProvider = (provider) => setProvider(switchedProvider(provider));
  const setManager = context.setGlobalContextManager.bind(context);
  context.setGlobalContextManager = (manager) => setManager(switchedManager(manager));
  const setPropagator = propagation.setGlobalPropagator.bind(propagation);
  propagation.setGlobalPropagator = (propagator) => setPropagator(switchedPropagator(propagator));
  // The gateway puts its span into a context, which a gateway without a collector does not make.
  const { setSpan } = trace;
  trace.setSpan = (within, span) => (telemetry.isOn ? setSpan(within, span) : within);
}

const keepExporters = (): void => {
  const getTracer = methodOf(SdkTracerProvider.prototype, 'getTracer');
  SdkTracerProvider.prototype.getTracer = function (this: SdkTracerProvider, ...scope) {
    providers.add(this);
    return getTracer.apply(this, scope);
  };
  // What starts the timer of the spans, or sends them when there are many. The queue takes all of one time.
  Object.assign(BatchSpanProcessor.prototype, { _maybeStartTimer: () => undefined });
  Object.assign(PeriodicExportingMetricReader.prototype, {
    onInitialized(this: PeriodicExportingMetricReader): void {
      readers.add(this);
    },
  });
};

const noSpan: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const switchedProvider = (provider: TracerProvider): TracerProvider => ({
  getTracer: (...scope) => {
    const tracer = provider.getTracer(...scope);
    const startActiveSpan = (...given: Parameters<Tracer['startActiveSpan']>): unknown =>
      telemetry.isOn ? tracer.startActiveSpan(...given) : (given.at(-1) as unknown as (span: Span) => unknown)(noSpan);
    return {
      startSpan: (...given) => (telemetry.isOn ? tracer.startSpan(...given) : noSpan),
      startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
    };
  },
});

const switchedManager = (manager: ContextManager): ContextManager => ({
  active: () => (telemetry.isOn ? manager.active() : ROOT_CONTEXT),
  with: (within, work, thisArg, ...given) =>
    telemetry.isOn
      ? manager.with(within, work, thisArg, ...given)
      : work.apply(thisArg as ThisParameterType<typeof work>, given),
  bind: (within, target) => manager.bind(within, target),
  enable: () => manager.enable(),
  disable: () => manager.disable(),
});

const switchedPropagator = (propagator: TextMapPropagator): TextMapPropagator => ({
  inject: (from, carrier, setter) => {
    if (telemetry.isOn) propagator.inject(from, carrier, setter);
  },
  extract: (into, carrier, getter) => (telemetry.isOn ? propagator.extract(into, carrier, getter) : into),
  fields: () => propagator.fields(),
});
