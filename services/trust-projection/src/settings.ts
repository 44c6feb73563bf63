import { baseSettings, durationMs, eventLogUrl, text, url } from '@agent-trust/service-kit';
import { z } from 'zod';
import { queryLimits } from './limits.ts';

export const trustProjectionSettings = z.object({
  ...baseSettings,
  EVENT_LOG_URL: eventLogUrl(),
  /** Database of the read models. Its role owns their schemas and may create more: a replay builds beside the live one. */
  DATABASE_URL: url('postgres:', 'postgresql:'),
  /** Longest time that a query waits for the read model to reach the position it names. */
  AT_LEAST_WAIT_MS: durationMs(1).default(queryLimits.atLeastWaitMs),
  /** Base address of an OpenAI-compatible embedding model that helps to resolve names; off when unset. */
  EMBEDDINGS_URL: url('http:', 'https:')
    .refine((value) => new URL(value).username === '' && new URL(value).password === '', {
      message: 'must not hold credentials; EMBEDDINGS_API_KEY is for them',
    })
    .optional(),
  EMBEDDINGS_MODEL: text(1, 200).default('text-embedding-3-small'),
  EMBEDDINGS_API_KEY: text(1, 1_000).optional(),
});
export type TrustProjectionSettings = z.output<typeof trustProjectionSettings>;
