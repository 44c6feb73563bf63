import { hash } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { createBoundedMap } from '@agent-trust/limits';
import { StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { createKeyValues } from '../../../bus/key-values.ts';
import { tooMany, admit } from '../../../rate-limit/rate-limiter.ts';
import { signatureEdgeLimits as limits } from './limits.ts';

export type NonceStore = {
  /**
   * Records that a key has used a nonce. False if it had done so before, in this window and at whichever gateway.
   *
   * @throws HttpRefusal rate_limited if the agent uses too many at this gateway.
   * @throws DomainError unavailable if it cannot be known: then the signature is not accepted.
   */
  use(keyId: string, nonce: string): Promise<boolean>;
};

/** From the earliest moment at which a signature can be accepted to the latest: `created` may lie on either side of now. */
const keptMs = (2 * limits.skewSecondsMax + limits.nonceMarginSeconds) * 1_000;

/**
 * Nonces of all gateways in one JetStream key-value bucket, on disk, so that a restarted NATS server still has them. Each is one key that
 * is created and never changed: of many requests that present it at once exactly one creates it. Only its SHA-256 is stored.
 */
export function createNonceStore(connection: NatsConnection): NonceStore {
  const store = createKeyValues(connection, {
    name: 'nonces',
    storage: StorageType.File,
    ttlMs: keptMs,
    bytesMax: limits.nonceBucketBytesMax,
    timeoutMs: limits.nonceTimeoutMs,
  });
  const allowance = createNonceAllowance();
  return {
    use: async (keyId, nonce) => {
      const key = hash('sha256', JSON.stringify([keyId, nonce]), 'base64url');
      const giveBack = allowance.take(keyId);
      try {
        const isNew = (await store.swap(key, '', 0)) !== null;
        // A client that replays an agent's requests must not use up the agent's allowance.
        if (!isNew) giveBack();
        return isNew;
      } catch (error) {
        throw new DomainError('unavailable', 'signatures cannot be checked for replay now', { cause: error });
      }
    },
  };
}

export type NonceAllowance = {
  /**
   * Counts one nonce of an agent and returns how to take that back.
   *
   * @throws HttpRefusal rate_limited, with Retry-After.
   */
  take(keyId: string): () => void;
};

const window = { countMax: limits.noncesPerAgentMax, windowMs: limits.nonceWindowMs };

/** How many nonces each agent may use at this gateway, so that none fills the store that all share. */
export function createNonceAllowance(now: () => number = Date.now): NonceAllowance {
  // A refused agent is not renewed: entries are read by `peek`.
  const taken = createBoundedMap<string, readonly number[]>({ countMax: limits.countedAgentsMax });
  return {
    take: (keyId) => {
      const admission = admit(window, taken.peek(keyId) ?? [], now());
      if (!admission.admitted) throw tooMany(window, admission.retryAfterMs);
      taken.set(keyId, admission.admittedAt);
      return () => taken.set(keyId, (taken.peek(keyId) ?? []).slice(0, -1));
    },
  };
}
