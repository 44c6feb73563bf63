import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';

const eventLoopResolutionMs = 20;

/** Reports memory and event loop delay of this process; answers a function that ends it. */
export function observeProcess(): () => void {
  const meter = metrics.getMeter('@agent-trust/service-kit');
  const delay = monitorEventLoopDelay({ resolution: eventLoopResolutionMs });
  delay.enable();
  const memory = meter.createObservableGauge('process.memory.usage', { unit: 'By', description: 'Resident memory' });
  const eventLoop = meter.createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's' });
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
  eventLoop.addCallback((result) => {
    result.observe(delay.percentile(99) / 1e9);
    delay.reset();
  });
  return () => delay.disable();
}
