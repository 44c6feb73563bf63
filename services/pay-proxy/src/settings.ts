import {
  baseSettings,
  carrierStopTimeout,
  durationMs,
  eventLogUrl,
  text,
  url,
  wholeNumber,
} from '@agent-trust/service-kit';
import { z } from 'zod';

export const payProxySettings = z.object({
  ...baseSettings,
  STOP_TIMEOUT_MS: carrierStopTimeout,
  EVENT_LOG_URL: eventLogUrl(),
  /** Address of the gateway, which stands in payment demands in place of the agent's. */
  BASE_URL: url('http:', 'https:'),
  /** Longest time that an agent may take to begin its answer, and between two pieces of it. */
  CALL_TIMEOUT_MS: durationMs(1).default(30_000),
  /** Private targets that may be reached; empty means none. */
  OUTBOUND_ALLOW: text(0, 10_000).default(''),
  /** Payments that one proxy carries at one time; more are answered `overloaded`. */
  PAY_CONCURRENCY_MAX: wholeNumber(1, 10_000).default(256),
  /** Payments that one agent gets from one proxy in a second; more are answered `target_busy`. */
  TARGET_CALLS_PER_SECOND_MAX: wholeNumber(1, 1_000_000).default(5_000),
});
