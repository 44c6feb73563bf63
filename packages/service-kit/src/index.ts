export {
  type BaseConfig,
  baseConfigSchema,
  baseSettings,
  carrierSettings,
  carrierStopTimeout,
  type LogLevel,
  logLevels,
} from './config/base-settings.ts';
export { ConfigError, readConfig, type SettingFault } from './config/read-config.ts';
export {
  durationMs,
  eventLogUrl,
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
export {
  failWhenClosed,
  type RunningService,
  runService,
  type ServiceContext,
  type ServiceDefinition,
} from './lifecycle/run-service.ts';
export { createLogger, type Logger, type LoggerOptions } from './logger/create-logger.ts';
export { scrubText } from './logger/scrub-text.ts';
export { startTelemetry, type Telemetry, type TelemetryOptions } from './telemetry/start-telemetry.ts';
export { timeToDrain } from './lifecycle/time-to-stop.ts';
