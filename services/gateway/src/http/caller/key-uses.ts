import { createBoundedMap } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { StorageType } from '@nats-io/jetstream';
import { createKeyValues, type JetStreamBus } from '../../bus/key-values.ts';

const useLimits = {
  /** A use is written at most this often for each key at each gateway. */
  everyMs: 60_000,
  timeoutMs: 2_000,
  readsAtOnce: 32,
} as const;

export type KeyUses = {
  /** Notes that a key is used now. Nobody waits for it, and it may be lost. */
  note(keyId: string): void;
  /** When each key was last used, RFC 3339; keys whose use is not known are left out. */
  lastOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

type UsesBucket = {
  name: 'operator_key_uses' | 'organisation_key_uses';
  /** Longer than any of the keys works. */
  keptDays: number;
  /** About 200 bytes for each key that was used in that time. A full bucket notes no more. */
  bytesMax: number;
  /** Keys whose last write is remembered; one that was forgotten is written again. */
  keysMax: number;
};

/** When keys were last used, in one bucket for all gateways. It is not part of the log: nothing depends on it. */
export function createKeyUses(
  bus: JetStreamBus,
  logger: Logger,
  { name, keptDays, bytesMax, keysMax }: UsesBucket,
  now: () => number = Date.now,
): KeyUses {
  const bucket = createKeyValues(bus, {
    name,
    storage: StorageType.File,
    ttlMs: keptDays * 86_400_000,
    bytesMax,
    timeoutMs: useLimits.timeoutMs,
  });
  const written = createBoundedMap<string, number>({ countMax: keysMax });
  const unknown = (err: unknown): null => {
    logger.debug({ err, bucket: name }, 'the use of a key could not be noted or read');
    return null;
  };
  return {
    note: (keyId) => {
      const at = now();
      if (at - (written.get(keyId) ?? 0) < useLimits.everyMs) return;
      written.set(keyId, at);
      bucket.use((kv) => kv.put(keyId, new Date(at).toISOString())).catch(unknown);
    },
    lastOf: async (keyIds) => {
      const found = new Map<string, string>();
      for (let from = 0; from < keyIds.length; from += useLimits.readsAtOnce) {
        const some = keyIds.slice(from, from + useLimits.readsAtOnce);
        const entries = await Promise.all(some.map((id) => bucket.use((kv) => kv.get(id)).catch(unknown)));
        for (const [index, id] of some.entries()) {
          const entry = entries[index];
          if (entry?.operation === 'PUT') found.set(id, entry.string());
        }
      }
      return found;
    },
  };
}
