import { type ClientError, NetworkError, RegistryError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import { limits, retryDefaults } from '../limits.ts';
import type { RetryOptions } from '../options.ts';
import { milliseconds } from './deadline.ts';

export type RetryPolicy = Required<RetryOptions>;

/** @throws TypeError if a setting is not a number; undefined means the default. */
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

/** Whether another attempt may have another result. The operation decides whether the request may be sent again at all. */
const isTemporary = (failure: ClientError): boolean => {
  if (failure instanceof NetworkError || failure instanceof TimeoutError) return true;
  // A proxy in front of the registry had no server to forward to.
  if (failure instanceof UnexpectedAnswerError) return [502, 503, 504].includes(failure.status);
  if (!(failure instanceof RegistryError)) return false;
  const { code, status, body } = failure;
  if (code === 'idempotency_key_in_use') return true;
  // The exchange has taken place: this refusal has its details, and a later one may not.
  if (typeof body['transaction_id'] === 'string' && body['transaction_id'] !== '') return false;
  return status === 408 || status === 429 || status === 503 || code === 'target_unavailable';
};

/**
 * Milliseconds to wait before the next attempt, or null to report the failure. The wait doubles each time, and up to half of it is random, so that
 * clients that failed together do not retry together; a Retry-After is waited for in full.
 *
 * @param random from 0 to 1.
 */
export function waitBeforeRetry(
  failure: ClientError,
  retriesDone: number,
  policy: RetryPolicy,
  random: number,
): number | null {
  if (retriesDone >= policy.retriesMax || !isTemporary(failure)) return null;
  const backOff = Math.min(policy.waitMsMax, policy.waitMs * 2 ** retriesDone) * (1 - random / 2);
  const after = failure instanceof RegistryError ? (failure.retryAfterSeconds ?? 0) : 0;
  return after > policy.retryAfterSecondsMax ? null : after * 1_000 + backOff;
}
