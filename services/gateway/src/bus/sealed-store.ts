import { StorageType } from '@nats-io/jetstream';
import type { z } from 'zod';
import { seal, type SealKeys, unseal } from '../credentials/seal.ts';
import { type BucketConfig, createKeyValues, type JetStreamBus, type KeyValues } from './key-values.ts';

type Kept<Value> = {
  revision: number;
  /** @throws Error if the value was deleted, or sealed with another secret. */
  open(): Value;
};

/** Values by name, sealed and on disk, shared by all gateways. A change is a compare-and-set on the revision that its writer has seen. */
export type SealedStore<Value> = Pick<KeyValues, 'use'> & {
  read(name: string): Promise<Kept<Value> | null>;
  /** @returns the new revision, or null if another writer was faster. @throws ValueTooLargeError */
  write(name: string, value: Value, revision: number): Promise<number | null>;
};

export class ValueTooLargeError extends Error {}

/** What the server stores with a value counts towards the size of its message. */
const messageHeaderBytesMax = 1024;

/** @param config.valueBytesMax of a sealed value. */
export function createSealedStore<Value>(
  bus: JetStreamBus,
  keys: SealKeys,
  schema: z.ZodType<Value>,
  config: Omit<BucketConfig, 'storage'> & { valueBytesMax: number },
): SealedStore<Value> {
  const values = createKeyValues(bus, {
    ...config,
    // Values outlive a restart of the server, as their clients do.
    storage: StorageType.File,
    valueBytesMax: config.valueBytesMax + messageHeaderBytesMax,
  });
  return {
    use: (work) => values.use(work),
    read: async (name) => {
      const kept = await values.use((kv) => kv.get(name));
      if (kept === null) return null;
      return { revision: kept.revision, open: () => schema.parse(JSON.parse(unseal(keys, name, kept.value))) };
    },
    write: async (name, value, revision) => {
      const bytes = seal(keys, name, JSON.stringify(value));
      if (bytes.byteLength > config.valueBytesMax) throw new ValueTooLargeError();
      return values.swap(name, bytes, revision);
    },
  };
}
