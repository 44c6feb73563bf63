import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from '../config/base-settings.ts';
import { scrubText } from './scrub-text.ts';
import { toLoggable } from './to-loggable.ts';

/** Log text that may wait for a slow reader of standard output; what comes beyond it is dropped. */
export const pendingLogBytesMax = 1024 * 1024;

export type Logger = PinoLogger;

export type LoggerOptions = {
  service: string;
  instanceId: string;
  level: LogLevel;
  /** Where lines go instead of standard output; for tests. */
  destination?: DestinationStream;
};

/**
 * A logger that writes JSON lines to standard output (readable text when that is a terminal), without secrets: values
 * are redacted by name at any depth (`toLoggable`), and each finished line is searched for secrets by their look
 * (`scrubText`). Lines inside a trace carry `trace_id` and `span_id`.
 */
export const createLogger = (options: LoggerOptions): Logger =>
  pino(
    {
      level: options.level,
      base: { service: options.service, instance: options.instanceId },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceIds,
      // `toLoggable` has made errors plain objects already; pino's own serializer would take them for errors again.
      serializers: { err: (value: unknown) => value },
      formatters: {
        level: (label) => ({ level: label }),
        log: (values) => toLoggable(values) as Record<string, unknown>,
        bindings: (bindings) => toLoggable(bindings) as Record<string, unknown>,
      },
      hooks: {
        // Objects among the arguments of a format string bypass `formatters.log`.
        logMethod(args, method) {
          const [first, ...rest] = args as [unknown, ...unknown[]];
          method.apply(this, [first, ...rest.map((item) => toLoggable(item))] as Parameters<typeof method>);
        },
        streamWrite: scrubText,
      },
    },
    options.destination ?? standardOutput(),
  );

const standardOutput = (): DestinationStream => {
  if (isatty(1)) {
    const pretty = createRequire(import.meta.url)('pino-pretty') as (options: object) => DestinationStream;
    return pretty({
      colorize: true,
      sync: true,
      ignore: 'pid,hostname,service,instance',
      messageFormat: '{service} {msg}',
    });
  }
  return pino.destination({ fd: 1, sync: false, minLength: 0, maxLength: pendingLogBytesMax });
};

const traceIds = (): object => {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
};
