import { describe, expect, it } from 'vitest';
import { BrokenStreamError, NetworkError, RegistryError, TimeoutError, UnexpectedAnswerError } from '../errors.ts';
import { readRetryOptions, waitBeforeRetry } from './retry.ts';

const policy = readRetryOptions({ retriesMax: 3, waitMs: 100, waitMsMax: 250, retryAfterSecondsMax: 5 });
const refusal = (status: number, code: string, more: object = {}): RegistryError =>
  new RegistryError('POST /call', { status, code, detail: '', ...more });
const wait = (failure: Parameters<typeof waitBeforeRetry>[0], retriesDone = 0, random = 0): number | null =>
  waitBeforeRetry(failure, retriesDone, policy, random);

describe('the wait before a retry', () => {
  it('doubles up to its bound, and up to half of it is random', () => {
    const failure = new NetworkError('GET /health', '');
    expect([0, 1, 2].map((done) => wait(failure, done))).toEqual([100, 200, 250]);
    expect([0, 1, 2].map((done) => wait(failure, done, 1))).toEqual([50, 100, 125]);
  });

  it('is repeated only as often as allowed', () => {
    expect(wait(new NetworkError('GET /health', ''), 3)).toBeNull();
    expect(waitBeforeRetry(new NetworkError('GET /health', ''), 0, readRetryOptions(false), 0)).toBeNull();
    expect(readRetryOptions({ retriesMax: 1_000 }).retriesMax).toBe(10);
    expect(readRetryOptions({ retriesMax: -1 }).retriesMax).toBe(0);
  });

  it('uses the default without a setting, and refuses invalid ones', () => {
    // Settings that a user passes as undefined: without a bound, retries would never end.
    expect(readRetryOptions({ retriesMax: undefined } as object)).toEqual(readRetryOptions(undefined));
    for (const name of ['retriesMax', 'waitMs', 'waitMsMax', 'retryAfterSecondsMax'])
      for (const bad of [Number.NaN, '5s', null])
        expect(() => readRetryOptions({ [name]: bad } as object)).toThrow(TypeError);
  });

  it('is as long as Retry-After says, if that is not too long', () => {
    expect(wait(refusal(429, 'rate_limited', { retryAfterSeconds: 5 }))).toBe(5_100);
    expect(wait(refusal(429, 'rate_limited', { retryAfterSeconds: 6 }))).toBeNull();
  });

  it.each([
    refusal(503, 'overloaded'),
    refusal(503, 'read_model_behind'),
    refusal(429, 'target_busy'),
    refusal(502, 'target_unavailable'),
    refusal(409, 'idempotency_key_in_use'),
    refusal(409, 'idempotency_key_in_use', { body: { transaction_id: 't' } }),
    refusal(408, 'request_timeout'),
    new TimeoutError('GET /health', 1),
    new UnexpectedAnswerError('GET /health', '', { status: 502 }),
  ])('comes after $message', (failure) => {
    expect(wait(failure)).not.toBeNull();
  });

  it.each([
    refusal(404, 'agent_not_found'),
    refusal(422, 'validation_failed'),
    refusal(409, 'call_already_made'),
    refusal(502, 'downstream_failed', { body: { transaction_id: 't' } }),
    refusal(503, 'unavailable', { body: { transaction_id: 't' } }),
    refusal(500, 'internal'),
    new UnexpectedAnswerError('GET /health', '', { status: 200 }),
    new BrokenStreamError('POST /call', '', { transactionId: null }),
  ])('does not come after $message', (failure) => {
    expect(wait(failure)).toBeNull();
  });
});
