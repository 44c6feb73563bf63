import { trace } from '@opentelemetry/api';
import { type Bindings, type ChildLoggerOptions, type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from '../config/base-settings.ts';
import { scrubText, toLoggable } from './redact.ts';
import { standardOutput } from './standard-output.ts';

export type Logger = PinoLogger;

export type LoggerOptions = {
  service: string;
  instanceId: string;
  level: LogLevel;
  /** Receives the lines instead of standard output; for tests. */
  destination?: DestinationStream;
};

/**
 * A logger that writes JSON lines to standard output (readable text on a terminal) without secrets: values are redacted by name
 * (`toLoggable`), finished lines by pattern (`scrubText`). Lines inside a trace carry `trace_id` and `span_id`.
 */
export function createLogger(options: LoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
      base: { service: options.service, instance: options.instanceId },
      timestamp: isoTime,
      mixin: traceIds,
      // `toLoggable` has turned errors into plain objects already; pino's serializer would treat them as errors again.
      serializers: { err: (value: unknown) => value },
      formatters: {
        level: (label) => ({ level: label }),
        log: toFields,
        bindings: toFields,
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
  return redactBindings(logger);
}

let second = { startsAt: -1, text: '' };

/** As pino's own `isoTime`; the part up to the seconds is made once a second. */
const isoTime = (): string => {
  const now = Date.now();
  const ms = now % 1_000;
  if (second.startsAt !== now - ms) {
    second = { startsAt: now - ms, text: `,"time":"${new Date(now).toISOString().slice(0, -'000Z'.length)}` };
  }
  return `${second.text}${String(ms).padStart(3, '0')}Z"`;
};

/** pino ignores `formatters.bindings` in child loggers, so their bindings are redacted on the way in. */
const redactBindings = (logger: Logger): Logger => {
  const plain = Object.getPrototypeOf(logger) as {
    child(bindings: Bindings, options?: ChildLoggerOptions): Logger;
    setBindings(bindings: Bindings): void;
  };
  logger.child = function child(this: Logger, bindings: Bindings, options?: ChildLoggerOptions) {
    return plain.child.call(this, toFields(bindings), options);
  } as unknown as Logger['child'];
  logger.setBindings = function setBindings(this: Logger, bindings: Bindings): void {
    plain.setBindings.call(this, toFields(bindings));
  };
  return logger;
};

const toFields = (values: object): Record<string, unknown> => {
  const { req, res, ...rest } = values as Record<string, unknown>;
  return {
    ...(req === undefined ? {} : { req: pick(req, httpFields.req) }),
    ...(res === undefined ? {} : { res: pick(res, httpFields.res) }),
    ...(toLoggable(values instanceof Error ? { err: values } : rest) as Record<string, unknown>),
  };
};

const traceIds = (): object => {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
};

/** The fields that are logged of HTTP frameworks' `req` and `res`, which are large, hold credentials and have getters that work only once. */
const httpFields = { req: ['id', 'method', 'url', 'host', 'ip'], res: ['statusCode'] } as const;

const pick = (source: unknown, names: readonly string[]): object => {
  if (typeof source !== 'object' || source === null) return {};
  const values = names.map((name) => [name, (source as Record<string, unknown>)[name]] as const);
  return Object.fromEntries(values.filter(([, value]) => typeof value === 'string' || typeof value === 'number'));
};
