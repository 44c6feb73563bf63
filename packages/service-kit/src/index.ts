export {
  type BaseConfig,
  baseConfigSchema,
  baseSettings,
  carrierStopTimeout,
  type LogLevel,
  logLevels,
} from './config/base-settings.ts';
export { carrierSettings } from './config/carrier-settings.ts';
export { eventLogUrl } from './config/event-log-url.ts';
export { ConfigError, readConfig, type SettingFault } from './config/read-config.ts';
export {
  durationMs,
  flag,
  listenPort,
  nonEmptyList,
  oneOf,
  port,
  type Setting,
  setting,
  text,
  url,
  urls,
  wholeNumber,
} from './config/setting.ts';
export { type BusAndLog, busAndLogHealth } from './health/bus-and-log-health.ts';
export { type HealthPart, type HealthReport, type HealthStatus, healthReport } from './health/health-report.ts';
export { type HealthServer, startHealthServer } from './health/health-server.ts';
export { exitCodes } from './lifecycle/exit-codes.ts';
export { failWhenClosed } from './lifecycle/fail-when-closed.ts';
export {
  type RunningService,
  runService,
  type ServiceContext,
  type ServiceDefinition,
} from './lifecycle/run-service.ts';
export { DeadlineError, withDeadline } from './lifecycle/with-deadline.ts';
export { createLogger, type Logger, type LoggerOptions } from './logger/create-logger.ts';
export { scrubText } from './logger/scrub-text.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './telemetry/start-telemetry.ts';
export { timeToDrain } from './lifecycle/time-to-stop.ts';
