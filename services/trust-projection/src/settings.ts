import {
  baseSettings,
  durationMs,
  eventLogSettings,
  outboundAllow,
  setting,
  type Setting,
  signingSeed,
  text,
  url,
  wholeNumber,
} from '@agent-trust/service-kit';
import { z } from 'zod';
import { witnessAddresses } from './log-signing/witness-addresses.ts';
import { queryLimits } from './shared/limits.ts';
import { usageSettings } from './usage/settings.ts';
import { webhookLimits } from './webhooks/limits.ts';

export const trustProjectionSettings = z.object({
  ...baseSettings,
  ...eventLogSettings,
  /** Database of the read models. Its role owns their schemas and may create more: a replay builds beside the live one. */
  DATABASE_URL: url('postgres:', 'postgresql:'),
  /** Wraps the keys that agents' contacts are sealed with, which are in the schema personal_data of that database. */
  PERSONAL_DATA_KEY: text(32, 1_024),
  /** Unwraps those that another value has wrapped, until `npm run secrets:rewrap` has wrapped them anew. */
  PERSONAL_DATA_KEY_PREVIOUS: text(32, 1_024).optional(),
  ...usageSettings,
  /** Longest time that a query waits for the read model to reach the position it names. */
  AT_LEAST_WAIT_MS: durationMs(1).default(queryLimits.atLeastWaitMs),
  /** Exchanges that ended longer ago, and that nobody has reviewed, leave the read models, in milliseconds; kept for good when unset. */
  EXCHANGE_RETENTION: days(1, 36_500).optional(),
  /** Base address of an OpenAI-compatible embedding model that helps to resolve names; off when unset. */
  EMBEDDINGS_URL: url('http:', 'https:')
    .refine((value) => new URL(value).username === '' && new URL(value).password === '', {
      message: 'must not hold credentials; EMBEDDINGS_API_KEY is for them',
    })
    .optional(),
  EMBEDDINGS_MODEL: text(1, 200).default('text-embedding-3-small'),
  EMBEDDINGS_API_KEY: text(1, 1_000).optional(),
  /** Signs the log's checkpoints and verdicts. The same for all instances; no other service has it. */
  LOG_SIGNING_KEY: signingSeed(),
  /** Signs checkpoints as well. */
  LOG_SIGNING_KEY_PREVIOUS: signingSeed().optional(),
  /** What the log is called in its checkpoints. Unset: what it was called in the first one, which is of BASE_URL. Another name is refused. */
  LOG_ORIGIN: logOrigin().optional(),
  /** Witnesses of the log, whose cosignatures an operator is shown. */
  LOG_WITNESSES: witnessAddresses().optional(),
  BASE_URL: url('http:', 'https:').default('http://127.0.0.1:8080'),
  /** What the secrets of webhooks are derived from; the gateways have the same. */
  WEBHOOK_SECRET: text(32, 1_024),
  /** Messages are signed with the secrets of this value, too. */
  WEBHOOK_SECRET_PREVIOUS: text(32, 1_024).optional(),
  OUTBOUND_ALLOW: outboundAllow,
  /** How often a message is sent to a webhook before it is given up, and the waits in between. */
  WEBHOOK_ATTEMPTS_MAX: wholeNumber(1, 1_000).default(webhookLimits.attemptsMax),
  WEBHOOK_RETRY_FIRST_MS: durationMs(1).default(webhookLimits.retryFirstMs),
  WEBHOOK_RETRY_LONGEST_MS: durationMs(1).default(webhookLimits.retryLongestMs),
  /** How long a webhook's consumer may take to answer. */
  WEBHOOK_ANSWER_MS: durationMs(1).default(webhookLimits.answerMs),
});
export type TrustProjectionSettings = z.output<typeof trustProjectionSettings>;

/** A name of the log: a URL without its scheme (C2SP tlog-checkpoint); it also names the key, and so has neither spaces nor a plus. */
export function logOrigin(): Setting<string> {
  return setting('a URL without its scheme, such as registry.example/log, with neither spaces nor "+"', (text) =>
    /^[^\s+\p{Cc}]{1,255}$/u.test(text) ? text : undefined,
  );
}

/** A number of days as `90d`; its value is in milliseconds. */
export function days(min: number, max: number): Setting<number> {
  return setting(`a number of days from ${min} to ${max}, such as 90d`, (text) => {
    const count = Number(/^(\d{1,6})d$/u.exec(text)?.[1]);
    return count >= min && count <= max ? count * 24 * 60 * 60_000 : undefined;
  });
}

/** The default name of the log: the address that its checkpoint is served under. */
export function originOfBaseUrl(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${host}${pathname.replace(/\/+$/u, '')}/log`;
}
