import { type ClientError, NetworkError, RegistryError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import { limits, retryDefaults } from '../limits.ts';
import type { RetryOptions } from '../options.ts';
import { milliseconds } from './milliseconds.ts';

export type RetryPolicy = Required<RetryOptions>;

/**
 * @throws TypeError for what is no number; a setting that is undefined is the default.
 */
export function readRetryOptions(options: RetryOptions | false | undefined): RetryPolicy {
  if (options === false) return { ...retryDefaults, retriesMax: 0 };
  const {
    retriesMax = retryDefaults.retriesMax,
    waitMs = retryDefaults.waitMs,
    waitMsMax = retryDefaults.waitMsMax,
    retryAfterSecondsMax = retryDefaults.retryAfterSecondsMax,
  } = options ?? {};
  if (!Number.isFinite(retriesMax)) throw new TypeError('retriesMax must be a number');
  return {
    retriesMax: Math.min(Math.max(0, retriesMax), limits.retriesMax),
    waitMs: milliseconds('waitMs', waitMs),
    waitMsMax: milliseconds('waitMsMax', waitMsMax),
    retryAfterSecondsMax: Math.min(
      milliseconds('retryAfterSecondsMax', retryAfterSecondsMax),
      limits.retryAfterSecondsMax,
    ),
  };
}

/** Whether another attempt may be answered otherwise. Whether the request may be sent again at all is the operation's to say. */
const mayPass = (failure: ClientError): boolean => {
  if (failure instanceof NetworkError || failure instanceof TimeoutError) return true;
  // A proxy before the registry that had nobody to ask.
  if (failure instanceof UnexpectedAnswerError) return [502, 503, 504].includes(failure.status);
  if (!(failure instanceof RegistryError)) return false;
  const { code, status, body } = failure;
  if (code === 'idempotency_key_in_use') return true;
  // The exchange has taken place: what is known of it stands in this refusal, and may in no later one.
  if (typeof body['transaction_id'] === 'string' && body['transaction_id'] !== '') return false;
  return status === 408 || status === 429 || status === 503 || code === 'target_unavailable';
};

/**
 * Milliseconds to wait before the next attempt, or null to tell the failure. Twice as long each time, of which up to half is left to
 * chance, so that clients which failed together do not come again together; a Retry-After is waited for in full.
 *
 * @param random from 0 to 1.
 */
export function waitBeforeRetry(
  failure: ClientError,
  retriesDone: number,
  policy: RetryPolicy,
  random: number,
): number | null {
  if (retriesDone >= policy.retriesMax || !mayPass(failure)) return null;
  const backOff = Math.min(policy.waitMsMax, policy.waitMs * 2 ** retriesDone) * (1 - random / 2);
  const after = failure instanceof RegistryError ? (failure.retryAfterSeconds ?? 0) : 0;
  return after > policy.retryAfterSecondsMax ? null : after * 1_000 + backOff;
}
