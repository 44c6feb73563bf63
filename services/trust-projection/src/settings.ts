import { baseSettings, durationMs, eventLogUrl, url } from '@agent-trust/service-kit';
import { z } from 'zod';
import { queryLimits } from './limits.ts';

export const trustProjectionSettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: eventLogUrl(),
  /** Database of the read models. Its role owns their schemas and may create more: a replay builds beside the live one. */
  DATABASE_URL: url('postgres:', 'postgresql:'),
  /** Longest time that a query waits for the read model to reach the position it names. */
  AT_LEAST_WAIT_MS: durationMs(1).default(queryLimits.atLeastWaitMs),
});
export type TrustProjectionSettings = z.output<typeof trustProjectionSettings>;
