import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { createKeyValues, isLostRace } from '../bus/key-values.ts';
import { type Entry, entry as entrySchema } from './entry.ts';
import { idempotencyLimits as limits } from './limits.ts';
import { seal, unseal } from '../credentials/seal.ts';

type KeptEntry = { entry: Entry; revision: number };

/** Entries by name, sealed, shared by all gateways. A change is a compare-and-set on the revision that its writer has seen. */
export type EntryStore = {
  read(name: string): Promise<KeptEntry | null>;
  /** Its new revision; null when another writer was faster. A null `revision` makes the entry, if there is none. */
  write(name: string, entry: Entry, revision: number | null): Promise<number | null>;
  /** Leaves no trace of the entry, unless it was changed since. */
  remove(revision: number): Promise<void>;
};

/** The answer is larger than one that is kept. */
export class EntryTooLargeError extends Error {}

export function createEntryStore(
  connection: NatsConnection,
  sealKey: Buffer,
  bucket: { name: string; bytesMax: number },
): EntryStore {
  const values = createKeyValues(connection, {
    ...bucket,
    // Answers outlive a restart of the server: a client may repeat its request after it.
    storage: StorageType.File,
    ttlMs: limits.lifetimeMs,
    valueBytesMax: limits.entryBytesMax + limits.messageHeaderBytesMax,
    timeoutMs: limits.storeTimeoutMs,
  });
  const inBucket = async <Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await values.open());
    } catch (error) {
      // Whatever went wrong, the next request looks for the bucket again: it may be gone with the server's disk.
      if (!isLostRace(error)) values.forget();
      throw error;
    }
  };
  return {
    read: async (name) => {
      const kept = await inBucket((kv) => kv.get(name));
      if (kept === null) return null;
      const entry = entrySchema.parse(JSON.parse(unseal(sealKey, name, kept.value)));
      return { entry, revision: kept.revision };
    },
    write: async (name, entry, revision) => {
      const bytes = seal(sealKey, name, JSON.stringify(entry));
      if (bytes.byteLength > limits.entryBytesMax) throw new EntryTooLargeError();
      try {
        return await inBucket((kv) => kv.put(name, bytes, { previousSeq: revision ?? 0 }));
      } catch (error) {
        if (isLostRace(error)) return null;
        throw error;
      }
    },
    remove: async (revision) => {
      // A key-value store's own delete leaves a mark for as long as the entry would have lived. The revision is the message's number.
      const manager = await jetstreamManager(connection, { timeout: limits.storeTimeoutMs, checkAPI: false });
      await manager.streams.deleteMessage(`KV_${bucket.name}`, revision, false);
    },
  };
}
