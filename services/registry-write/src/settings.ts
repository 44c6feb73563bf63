import { baseSettings, eventLogSettings, oneOf, text, url, wholeNumber } from '@agent-trust/service-kit';
import { z } from 'zod';

const claimTtlSecondsMax = 365 * 24 * 3600;

export const registryWriteSettings = z.object({
  ...baseSettings,
  ...eventLogSettings,
  /** Database of the keys of sealed contacts (schema personal_data). */
  PERSONAL_DATA_DATABASE_URL: url('postgres:', 'postgresql:'),
  /** Wraps those keys; the same for registry-write and trust-projection. */
  PERSONAL_DATA_KEY: text(32, 1_024),
  /** Unwraps those that another value has wrapped, until `npm run secrets:rewrap` has wrapped them anew. */
  PERSONAL_DATA_KEY_PREVIOUS: text(32, 1_024).optional(),
  /** Lifetime of a claim token; 0 means that it never expires. */
  CLAIM_TOKEN_TTL_SECONDS: wholeNumber(0, claimTtlSecondsMax).default(1800),
  /** The built-in trust policy with which an empty log begins; the same for all instances. A log with events keeps its own. */
  TRUST_POLICY_AT_FIRST_START: oneOf('v1', 'v2').default('v2'),
});
