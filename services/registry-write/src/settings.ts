import { baseSettings, url, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';

const claimTtlSecondsMax = 365 * 24 * 3600;

export const registryWriteSettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: url('postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'),
  /** Lifetime of a claim token; 0 means that it never expires. */
  CLAIM_TOKEN_TTL_SECONDS: wholeNumber(0, claimTtlSecondsMax).default(1800),
});
export type RegistryWriteSettings = z.output<typeof registryWriteSettings>;
