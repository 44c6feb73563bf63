import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { durationMs, eventLogUrl, listenPort, oneOf, setting, text, url, urls, wholeNumber } from './setting.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * What every service reads. A service's own schema is `z.object({ ...baseSettings, …its own })`.
 * Names are those of the environment variables.
 */
export const baseSettings = {
  /** Where NATS is, with this service's user and password; several servers are separated by commas. */
  NATS_URL: urls('nats:', 'tls:', 'ws:', 'wss:'),
  LOG_LEVEL: oneOf(...logLevels).default('info'),
  /** Base address of an OTLP/HTTP collector. Unset: no telemetry, and none of its code is loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  /** Names this process among others of its service; it is a part of NATS subjects. */
  INSTANCE_ID: setting('1 to 64 letters, digits, hyphens or underscores', (value) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : undefined,
  ).default(() => randomBytes(6).toString('hex')),
  /** Serves `/healthz` and `/readyz` when set; 0 takes any free port. */
  HEALTH_PORT: listenPort().optional(),
  HEALTH_HOST: text(1, 255).default('127.0.0.1'),
  /** Longest time that starting may take. */
  START_TIMEOUT_MS: durationMs(1).default(60_000),
  /** Longest time between the request to stop and the end of the process. */
  STOP_TIMEOUT_MS: durationMs(1).default(10_000),
} as const;

/**
 * The time to stop of a service that carries calls or payments. Longer than an agent may take by default (CALL_TIMEOUT_MS), so that a
 * process can be replaced without a caller's noticing; what still runs then, long streams above all, is cut off.
 */
export const carrierStopTimeout = durationMs(1).default(45_000);

/** What both proxies read, those that carry calls and payments to agents. How much one carries is a setting of its own. */
export const carrierSettings = {
  ...baseSettings,
  STOP_TIMEOUT_MS: carrierStopTimeout,
  EVENT_LOG_URL: eventLogUrl(),
  /** Address of the gateway, for pay links; in payment demands it stands in place of the agent's. */
  BASE_URL: url('http:', 'https:'),
  /** Longest time that an agent may take to answer; where the answer is passed on as it comes, to its first byte and between two. */
  CALL_TIMEOUT_MS: durationMs(1).default(30_000),
  /** Private targets that may be reached; empty means none. */
  OUTBOUND_ALLOW: text(0, 10_000).default(''),
  /** Requests that one agent gets from one proxy in a second; more are answered `target_busy`. */
  TARGET_CALLS_PER_SECOND_MAX: wholeNumber(1, 1_000_000).default(5_000),
} as const;

export const baseConfigSchema: BaseConfigSchema = z.object(baseSettings);
export type BaseConfigSchema = z.ZodObject<typeof baseSettings>;
export type BaseConfig = z.output<BaseConfigSchema>;
