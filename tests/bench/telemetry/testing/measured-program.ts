/** Stands for a service: for each line that it reads, does something that telemetry sees, and writes what became of it. */
import { createInterface } from 'node:readline';
import { counter, histogram, processMetrics } from '@agent-trust/metrics';
import { createLogger, startTelemetry } from '@agent-trust/service-kit';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

const telemetry = await startTelemetry({
  service: 'call-proxy',
  instanceId: 'i1',
  endpoint: process.env['OTEL_EXPORTER_OTLP_ENDPOINT'],
  sampling: { sampler: 'always_on', ratio: undefined },
  isEdge: true,
  servesMetrics: true,
  logger: createLogger({ service: 'call-proxy', instanceId: 'i1', level: 'warn', destination: process.stderr }),
});
const reads = counter('registry.replica.reads');
const kept = histogram('registry.append.batch.size').with({});

const work = async (): Promise<void> => {
  reads.with({ 'registry.result': 'hit' }).add();
  kept.record(1);
  const span = trace.getTracer('t').startSpan('POST /work', {}, propagation.extract(ROOT_CONTEXT, {}));
  const within = trace.setSpan(ROOT_CONTEXT, span);
  const carrier: Record<string, string> = {};
  propagation.inject(within, carrier);
  const isActive = context.with(within, () => trace.getActiveSpan() !== undefined);
  span.end();
  const text = (await telemetry.metricsText?.()) ?? '';
  const seen = {
    counted: processMetrics.counted('registry.replica.reads').reduce((sum, { count }) => sum + count, 0),
    kept: processMetrics.counted('registry.append.batch.size').reduce((sum, { count }) => sum + count, 0),
    isTraced: carrier['traceparent'] !== undefined,
    isActive,
    delayMax: Number(/^nodejs_eventloop_delay_max_seconds\S* (\S+)/mu.exec(text)?.[1]),
  };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
};

createInterface({ input: process.stdin })
  .on('line', () => void work())
  .on('close', () => process.exit());
