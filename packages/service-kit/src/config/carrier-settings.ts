import { baseSettings, carrierStopTimeout } from './base-settings.ts';
import { eventLogUrl } from './event-log-url.ts';
import { durationMs, text, url, wholeNumber } from './setting.ts';

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
