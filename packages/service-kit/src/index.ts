export * from './config/base-settings.ts';
export { addressOf } from './config/address-of.ts';
export * from './config/read-config.ts';
export * from './health/health-report.ts';
export * from './health/health-server.ts';
export { collectWhenIdle } from './lifecycle/collect-when-idle.ts';
export { exitCodes, timeToDrain } from './lifecycle/stop-requests.ts';
export {
  failWhenClosed,
  type RunningService,
  runService,
  type ServiceContext,
  type ServiceDefinition,
} from './lifecycle/run-service.ts';
export {
  busOptions,
  type Dependency,
  reachBus,
  type StartWaits,
  startWaits,
  untilReached,
} from './lifecycle/start-waits.ts';
export { createLogger, type Logger, type LoggerOptions } from './logger/create-logger.ts';
export { scrubText } from './logger/redact.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './telemetry/start-telemetry.ts';
export { registryVersion } from './version.ts';
