import { hash } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { retry } from '@agent-trust/limits';
import { type AttributesOf, type CounterSeries, counter } from '@agent-trust/metrics';
import { StorageType } from '@nats-io/jetstream';
import { createKeyValues, type JetStreamBus } from '../../../bus/key-values.ts';
import { createLocalWindow, type LocalWindow } from '../../../rate-limit/local-window.ts';
import { minuteCounts } from '../../../rate-limit/rate-limiter.ts';

/** Bounds on the state and lookups that signed requests cause. */
export const signatureEdgeLimits = {
  /** The widest window that SIGNATURE_MAX_SKEW_SECONDS can set; the store of nonces is made for it. */
  skewSecondsMax: 900,
  /** Beyond the window itself: gateways' clocks differ. */
  nonceMarginSeconds: 60,
  /** All nonces, at about 150 bytes each: 900 signed requests a second over the longest window. A full store refuses further signatures. */
  nonceBucketBytesMax: 256 * 1024 * 1024,
  /**
   * Nonces of one agent in a minute at one gateway: at most one in a hundred of what the store holds. For more requests there are bearer
   * keys.
   */
  noncesPerAgentMax: 600,
  nonceWindowMs: 60_000,
  /** Agents whose nonces are counted; beyond it the oldest entry is evicted. */
  countedAgentsMax: 4_096,
  nonceTimeoutMs: 2_000,
  /** How long a gateway that starts tries to make the stores of nonces before their first use does. */
  untilMade: { timeoutMs: 60_000, backoff: { firstMs: 100, longestMs: 2_000 } },
  /** Public keys that are cached: texts of 43 characters and OpenSSL's objects. */
  knownKeysMax: 4_096,
} as const;

export type NonceStore = {
  /**
   * Records that a key has used a nonce, with a signature that was created then (seconds since 1970). `nonce_reused`: it has used it before, at
   * whichever gateway. `nonce_unknown`: nobody knows, since the bus remembers nothing from that time. @throws HttpRefusal rate_limited;
   * DomainError unavailable: then the signature is not accepted.
   */
  use(keyId: string, nonce: string, createdSeconds: number): Promise<'new' | 'nonce_reused' | 'nonce_unknown'>;
};

const refusals = counter('registry.nonce.refusals');

type Cause = AttributesOf<'registry.nonce.refusals'>['registry.cause'];
const refused = (cause: Cause): CounterSeries => refusals.with({ 'registry.cause': cause });

const counting = <Result>(cause: Cause, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    refused(cause).add();
    throw error;
  }
};

/** From the earliest moment at which a signature can be accepted to the latest: `created` may lie on either side of now. */
const keptMs = (2 * signatureEdgeLimits.skewSecondsMax + signatureEdgeLimits.nonceMarginSeconds) * 1_000;

/**
 * Nonces of all gateways in one JetStream key-value bucket, on disk, so that a restarted NATS server still has them. Each is one key that
 * is created and never changed: of many requests that present it at once exactly one creates it. Only its SHA-256 is stored.
 *
 * A server that was cut off from power has lost what it had not synced, and nothing tells it so. So a restarted server, which has a new bucket in
 * memory, vouches for nothing from before its start: whoever signed then signs again.
 */
export function createNonceStore(bus: JetStreamBus): NonceStore {
  const counts = createKeyValues(bus, minuteCounts);
  const store = createKeyValues(bus, {
    name: 'nonces',
    storage: StorageType.File,
    ttlMs: keptMs,
    bytesMax: signatureEdgeLimits.nonceBucketBytesMax,
    timeoutMs: signatureEdgeLimits.nonceTimeoutMs,
  });
  const allowance = createNonceAllowance();
  // From the gateway's start on, so that the first signature is not older than what it is compared with; also if a busy bus answers late.
  const untilMade = { ...signatureEdgeLimits.untilMade, mayRetry: () => !bus.connection.isClosed() };
  for (const bucket of [store, counts]) retry(() => bucket.createdAt(), untilMade).catch(() => undefined);
  return {
    use: async (keyId, nonce, createdSeconds) => {
      const key = hash('sha256', JSON.stringify([keyId, nonce]), 'base64url');
      const giveBack = counting('rate_limited', () => allowance.take(keyId));
      try {
        const isNew = (await store.swap(key, '', 0)) !== null;
        // Afterwards: the write itself may have made the bucket anew.
        const remembersSince = Math.max(await store.createdAt(), await counts.createdAt());
        const outcome = !isNew
          ? 'nonce_reused'
          : createdSeconds < Math.floor(remembersSince / 1_000)
            ? 'nonce_unknown'
            : 'new';
        // A client that replays an agent's requests must not use up the agent's allowance.
        if (outcome !== 'new') {
          refused(outcome).add();
          giveBack();
        }
        return outcome;
      } catch (error) {
        refused('unavailable').add();
        throw new DomainError('unavailable', 'signatures cannot be checked for replay now', { cause: error });
      }
    },
  };
}

const window = { countMax: signatureEdgeLimits.noncesPerAgentMax, windowMs: signatureEdgeLimits.nonceWindowMs };

/** How many nonces each agent may use at this gateway, so that none fills the store that all share. */
export function createNonceAllowance(now: () => number = Date.now): LocalWindow {
  return createLocalWindow(window, signatureEdgeLimits.countedAgentsMax, now);
}
