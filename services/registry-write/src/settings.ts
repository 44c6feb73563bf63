import { baseSettings, eventLogUrl, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';

const claimTtlSecondsMax = 365 * 24 * 3600;

export const registryWriteSettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: eventLogUrl(),
  /** Lifetime of a claim token; 0 means that it never expires. */
  CLAIM_TOKEN_TTL_SECONDS: wholeNumber(0, claimTtlSecondsMax).default(1800),
});
