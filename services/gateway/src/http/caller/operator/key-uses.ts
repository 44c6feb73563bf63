import { limits } from '@agent-trust/contracts';
import { createBoundedMap } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { StorageType } from '@nats-io/jetstream';
import { createKeyValues, type JetStreamBus } from '../../../bus/key-values.ts';

const useLimits = {
  /** A use is written at most this often for each key at each gateway. */
  everyMs: 60_000,
  /** Longer than any key works. */
  keptMs: (limits.operatorKeyDaysMax + 30) * 86_400_000,
  /** About 200 bytes for each key that was used in that time. */
  bytesMax: 1024 * 1024,
  timeoutMs: 2_000,
  readsAtOnce: 32,
} as const;

export type KeyUses = {
  /** Notes that a key is used now. Nobody waits for it, and it may be lost. */
  note(operatorKeyId: string): void;
  /** When each key was last used, RFC 3339; keys whose use is not known are left out. */
  lastOf(operatorKeyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** When operators' keys were last used, in one bucket for all gateways. It is not part of the log: nothing depends on it. */
export function createKeyUses(bus: JetStreamBus, logger: Logger, now: () => number = Date.now): KeyUses {
  const bucket = createKeyValues(bus, {
    name: 'operator_key_uses',
    storage: StorageType.File,
    ttlMs: useLimits.keptMs,
    bytesMax: useLimits.bytesMax,
    timeoutMs: useLimits.timeoutMs,
  });
  const written = createBoundedMap<string, number>({ countMax: limits.operatorKeysListedMax });
  const unknown = (err: unknown): null => {
    logger.debug({ err }, "the use of an operator's key could not be noted or read");
    return null;
  };
  return {
    note: (operatorKeyId) => {
      const at = now();
      if (at - (written.get(operatorKeyId) ?? 0) < useLimits.everyMs) return;
      written.set(operatorKeyId, at);
      bucket.use((kv) => kv.put(operatorKeyId, new Date(at).toISOString())).catch(unknown);
    },
    lastOf: async (operatorKeyIds) => {
      const found = new Map<string, string>();
      for (let from = 0; from < operatorKeyIds.length; from += useLimits.readsAtOnce) {
        const some = operatorKeyIds.slice(from, from + useLimits.readsAtOnce);
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
