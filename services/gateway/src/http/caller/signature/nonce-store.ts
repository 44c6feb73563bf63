import { hash } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { createKeyValues, isLostRace } from '../../../bus/key-values.ts';
import { signatureEdgeLimits } from './limits.ts';
import { createNonceAllowance } from './nonce-allowance.ts';

export type NonceStore = {
  /**
   * Remembers that a key has used a nonce. Answers false when it had done so before, in this window and at whichever gateway.
   *
   * @throws HttpRefusal rate_limited when the agent uses too many at this gateway.
   * @throws DomainError unavailable when that cannot be known: a signature whose nonce nobody can vouch for is not accepted.
   */
  use(keyId: string, nonce: string): Promise<boolean>;
};

/** From the earliest moment at which a signature can be accepted to the latest: `created` may lie on either side of now. */
const keptMs = (2 * signatureEdgeLimits.skewSecondsMax + signatureEdgeLimits.nonceMarginSeconds) * 1_000;

/**
 * Nonces of all gateways in one JetStream key-value bucket, on disk, so that a restarted NATS server has not forgotten them. Each is one
 * key that is created and never changed: of many who present it at once exactly one creates it. Nothing but the SHA-256 is kept.
 */
export function createNonceStore(connection: NatsConnection): NonceStore {
  const store = createKeyValues(connection, {
    name: 'nonces',
    storage: StorageType.File,
    ttlMs: keptMs,
    bytesMax: signatureEdgeLimits.nonceBucketBytesMax,
    timeoutMs: signatureEdgeLimits.nonceTimeoutMs,
  });
  const allowance = createNonceAllowance();
  const create = async (key: string): Promise<boolean> => {
    const kv = await store.open();
    try {
      await kv.put(key, '', { previousSeq: 0 });
      return true;
    } catch (error) {
      if (isLostRace(error)) return false;
      throw error;
    }
  };

  return {
    use: async (keyId, nonce) => {
      const key = hash('sha256', JSON.stringify([keyId, nonce]), 'base64url');
      const takeBack = allowance.take(keyId);
      let reopened = false;
      for (;;) {
        try {
          const isNew = await create(key);
          // Whoever repeats an agent's requests does not use up what it may.
          if (!isNew) takeBack();
          return isNew;
        } catch (error) {
          store.forget();
          // The bucket is gone with the server's disk: it is made again. After anything else a second attempt could meet the first.
          if (reopened || !isGone(error)) {
            throw new DomainError('unavailable', 'signatures cannot be checked for replay now', { cause: error });
          }
          reopened = true;
        }
      }
    },
  };
}

/** No stream takes the subject of the bucket. */
const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'NoRespondersError';
