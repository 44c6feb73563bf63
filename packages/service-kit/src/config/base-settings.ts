import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { isOutboundAllow } from '@agent-trust/safe-fetch/outbound-allow';
import type { z } from 'zod';
import { samplerNames } from '../telemetry/sampling.ts';
import {
  durationMs,
  eventLogUrl,
  flag,
  list,
  listenPort,
  oneOf,
  type Setting,
  setting,
  text,
  url,
  urls,
  wholeNumber,
  wholeNumberIn,
} from './read-config.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The settings of every service. A service's schema is `z.object({ ...baseSettings, … })`; names are those of the environment variables. */
export const baseSettings = {
  /** URL of NATS with this service's user and password; several servers are separated by commas. */
  NATS_URL: urls('nats:', 'tls:', 'ws:', 'wss:'),
  LOG_LEVEL: oneOf(...logLevels).default('info'),
  /** Base URL of an OTLP/HTTP collector for traces and metrics. If unset, nothing is sent, and no code for it is loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  /** Both are read by OpenTelemetry itself: headers for the collector, which may be secret, and attributes of all telemetry. */
  OTEL_EXPORTER_OTLP_HEADERS: text(1, 8_192).optional(),
  OTEL_RESOURCE_ATTRIBUTES: text(1, 8_192).optional(),
  /** Which traces are recorded. If unset, one in a hundred, ten a second at most. */
  OTEL_TRACES_SAMPLER: oneOf(...samplerNames).optional(),
  OTEL_TRACES_SAMPLER_ARG: setting('a number from 0 to 1', (value) => {
    const ratio = Number(value);
    return value.trim() !== '' && ratio >= 0 && ratio <= 1 ? ratio : undefined;
  }).optional(),
  /** Distinguishes this process from others of its service; part of NATS subjects. */
  INSTANCE_ID: setting('1 to 64 letters, digits, hyphens or underscores', (value) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : undefined,
  ).default(() => randomBytes(6).toString('hex')),
  /** Serves `/livez`, `/readyz` and `/metrics` if set; 0 takes any free port. */
  HEALTH_PORT: listenPort().optional(),
  HEALTH_HOST: text(1, 255).default('127.0.0.1'),
  START_TIMEOUT_MS: durationMs(1).default(60_000),
  /** Longest time from the request to stop to the end of the process. */
  STOP_TIMEOUT_MS: durationMs(1).default(10_000),
} as const;

/**
 * Time to stop of a service that carries calls: longer than an agent's default timeout (CALL_TIMEOUT_MS), so that a process can be replaced
 * unnoticed.
 */
export const carrierStopTimeout = durationMs(1).default(45_000);

/** Private targets that outbound requests may reach; empty means none. */
export const outboundAllow = list(
  'host names, addresses and CIDR ranges, each with an optional :port (IPv6 in brackets), separated by commas',
  (item) => (isOutboundAllow(item) ? item : undefined),
)
  .transform((items) => items.join(','))
  .default('');

/** Enough for the trust objects of 100,000 agents. */
const replicaBytesDefault = 160 * 1024 * 1024;

/**
 * Memory of a process for answers that it gives again. 0 turns answering from memory off. The answers are on the heap of V8, beyond whose limit
 * the process dies; so they may take half of it. The default is lowered to that.
 */
export function replicaBytesWithin(heapBytesMax: number): z.ZodDefault<Setting<number>> {
  const bytesMax = Math.floor(heapBytesMax / 2);
  const allowed = `a whole number from 0 to ${bytesMax}, half of the heap of this process (--max-old-space-size raises it)`;
  return setting(allowed, wholeNumberIn(0, bytesMax)).default(Math.min(replicaBytesDefault, bytesMax));
}

const heapBytesMax = getHeapStatistics().heap_size_limit;
export const replicaBytes = replicaBytesWithin(heapBytesMax);

type Warns = { warn(fields: object, message: string): void };
type Says = Warns & { info(fields: object, message: string): void };

/** Says that a heap is too small for the default of REPLICA_BYTES. */
export function warnOfLoweredReplica(bytes: number, logger: Warns, heapBytes = heapBytesMax): void {
  if (bytes < replicaBytesDefault && bytes === Math.floor(heapBytes / 2))
    logger.warn({ bytes }, 'the heap is small: fewer answers are kept in memory (REPLICA_BYTES)');
}

/** Settings of the services that have the event log. */
export const eventLogSettings = {
  EVENT_LOG_URL: eventLogUrl(),
  /** Whether the user of EVENT_LOG_URL may have more rights than its service needs where NODE_ENV is `production`. */
  ALLOW_EXCESS_LOG_RIGHTS: flag().default(false),
  NODE_ENV: text(0, 64).optional(),
} as const;

/** How the event log is to check the rights of a service's user: rights in excess are refused in production, and else are one line. */
export function logRightsCheck<Use extends string>(
  use: Use,
  { NODE_ENV, ALLOW_EXCESS_LOG_RIGHTS }: { NODE_ENV?: string | undefined; ALLOW_EXCESS_LOG_RIGHTS: boolean },
  logger: Says,
): { use: Use; refusesExcess: boolean; sayExcess: (line: string) => void } {
  const isProduction = NODE_ENV === 'production';
  return {
    use,
    refusesExcess: isProduction && !ALLOW_EXCESS_LOG_RIGHTS,
    sayExcess: (line) => (isProduction ? logger.warn({}, line) : logger.info({}, line)),
  };
}

/** Settings of both proxies, which carry calls and payments to agents. */
export const carrierSettings = {
  ...baseSettings,
  ...eventLogSettings,
  STOP_TIMEOUT_MS: carrierStopTimeout,
  /** Address of the gateway, for pay links; in payment demands it replaces the agent's. */
  BASE_URL: url('http:', 'https:'),
  /** Timeout for an agent's answer; for a streamed answer, until its first byte and between two chunks. */
  CALL_TIMEOUT_MS: durationMs(1).default(30_000),
  OUTBOUND_ALLOW: outboundAllow,
  REPLICA_BYTES: replicaBytes,
  /** Requests that one agent gets from one proxy per second; more are answered `target_busy`. */
  TARGET_CALLS_PER_SECOND_MAX: wholeNumber(1, 1_000_000).default(5_000),
} as const;

export type BaseConfigSchema = z.ZodObject<typeof baseSettings>;
export type BaseConfig = z.output<BaseConfigSchema>;
