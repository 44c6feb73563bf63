import { webhookUserAgent } from '@agent-trust/contracts';
import { backoffMs } from '@agent-trust/limits';
import {
  isOwnLimit,
  OutboundError,
  readWithin,
  type SafeFetch,
  type TargetGuard,
  TargetRefused,
} from '@agent-trust/safe-fetch';
import { signMessage, type WebhookSecrets, webhookSecretsOf } from '@agent-trust/webhook-signature';
import { webhookLimits } from '../limits.ts';
import type { DueDelivery } from '../outbox/deliveries.ts';
import { messageBody } from './message.ts';

/** What became of one attempt. */
export type Attempt =
  | { kind: 'delivered' }
  /** The consumer wants no more messages. */
  | { kind: 'gone' }
  /** `reason` is a word; `wasReached`: the consumer answered. */
  | { kind: 'failed'; reason: string; wasReached: boolean; retryAfterMs: number | null }
  /** Nothing was sent, and nothing is held against the message. */
  | { kind: 'not_sent'; retryAfterMs: number };

export type AttemptParts = {
  safeFetch: SafeFetch;
  guard: TargetGuard;
  webhookSecrets: WebhookSecrets;
  answerMs: number;
  now: () => Date;
};

/** Sends one message once. Any 2xx is delivered (Standard Webhooks), whatever the body says; a redirect is a failure. */
export async function attemptDelivery(
  parts: AttemptParts,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const { webhookId, url, secretSalt, agentId, messageId: id } = delivery;
  const body = messageBody(delivery);
  const secrets = webhookSecretsOf(parts.webhookSecrets, webhookId, secretSalt);
  try {
    const pass = parts.guard.enter({ url, agentId: webhookId, callerId: agentId });
    try {
      const {
        status,
        headers,
        body: answer,
      } = await parts.safeFetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': webhookUserAgent,
          ...signMessage({ id, sentAt: parts.now(), body }, ...secrets),
        },
        body: Buffer.from(body, 'utf8'),
        signal,
        timeouts: {
          headMs: parts.answerMs,
          headersMs: parts.answerMs,
          totalMs: parts.answerMs + webhookLimits.answerBodyMs,
        },
        responseBodyBytesMax: Number.MAX_SAFE_INTEGER,
        onEnd: () => pass.leave(),
      });
      pass.answered();
      // Read for the connection's sake alone: who says too much, or says it slowly, loses the connection and nothing else.
      await readWithin(answer, webhookLimits.answerBytesMax, webhookLimits.answerBodyMs).catch(() => answer.cancel());
      return toAttempt(status, headers['retry-after'], parts.now());
    } catch (error) {
      pass.failed(error);
      pass.leave();
      throw error;
    }
  } catch (error) {
    if (error instanceof TargetRefused) return { kind: 'not_sent', retryAfterMs: error.retryAfterMs };
    if (!(error instanceof OutboundError)) throw error;
    if (isOwnLimit(error) || error.kind === 'aborted') {
      return { kind: 'not_sent', retryAfterMs: webhookLimits.standbyMs };
    }
    return { kind: 'failed', reason: error.reason, wasReached: false, retryAfterMs: null };
  }
}

const toAttempt = (status: number, retryAfter: string | string[] | undefined, now: Date): Attempt => {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const asked = typeof retryAfter === 'string' ? readRetryAfter(retryAfter, now) : null;
  return { kind: 'failed', reason: `status_${status}`, wasReached: true, retryAfterMs: asked };
};

export type RetrySettings = { retryFirstMs: number; retryLongestMs: number };

/**
 * Milliseconds from a failed attempt to the next: exponential, less up to half of it at random, so that messages that failed together do not
 * return together, or what the consumer asks for, within a limit. `attempts` have failed, this one included; `random` is 0 to 1.
 */
export function retryDelayMs(
  attempts: number,
  { retryFirstMs, retryLongestMs }: RetrySettings,
  random: number,
  retryAfterMs: number | null,
): number {
  const backoff = backoffMs(attempts - 1, {
    firstMs: retryFirstMs,
    longestMs: retryLongestMs,
    factor: webhookLimits.retryFactor,
    random: () => random,
  });
  const asked = Math.min(retryAfterMs ?? 0, webhookLimits.retryAfterMsMax);
  return Math.ceil(Math.max(backoff, asked));
}

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, in milliseconds from now; null where it is neither. */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/u.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
