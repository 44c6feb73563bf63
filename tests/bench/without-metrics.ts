/** Imported before a service, so that it measures nothing: what `npm run bench -- telemetry` compares with. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Recorder } from '@agent-trust/metrics';

const nothing = { add: () => undefined, record: () => undefined };
const none = { with: () => nothing };
Object.assign(Recorder.prototype, { counter: () => none, histogram: () => none, observe: () => () => undefined });

const hooks = createRequire(import.meta.url)('node:perf_hooks') as Record<string, unknown>;
hooks['monitorEventLoopDelay'] = () => ({ enable: () => true, disable: () => true, reset: () => undefined });
hooks['PerformanceObserver'] = class {
  observe = (): void => undefined;
  disconnect = (): void => undefined;
};
syncBuiltinESMExports();
