import { jetstream, JetStreamApiCodes, JetStreamApiError, type StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { errors, type NatsConnection } from '@nats-io/transport-node';

export type BucketConfig = {
  name: string;
  storage: StorageType;
  /** Lifetime of an entry, from its last change. nats-server before 2.11 has no other than this one for the whole bucket. */
  ttlMs: number;
  /** A full bucket refuses further entries; it never drops one before its time. */
  bytesMax: number;
  valueBytesMax?: number;
  timeoutMs: number;
};

/** A bucket of JetStream's key-value store, shared by all gateways and created by whichever needs it first. */
export type KeyValues = {
  /** Works on the bucket. One that has gone with the server's memory or disk is created again, once: nothing was written to it. */
  use<Result>(work: (bucket: KV) => Promise<Result>): Promise<Result>;
  /** Writes a key if `revision` is still its latest (0: it has no value). @returns the new revision, or null if another writer was faster. */
  swap(key: string, value: string | Uint8Array, revision: number): Promise<number | null>;
};

export function createKeyValues(connection: NatsConnection, config: BucketConfig): KeyValues {
  let bucket: Promise<KV> | undefined;
  const use: KeyValues['use'] = async (work) => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        bucket ??= openBucket(connection, config);
        return await work(await bucket);
      } catch (error) {
        if (isLostRace(error)) throw error;
        // The next request looks for the bucket again.
        bucket = undefined;
        if (!isFirst || !isGone(error)) throw error;
      }
    }
  };
  return {
    use,
    swap: async (key, value, revision) => {
      try {
        return await use((kv) => kv.put(key, value, { previousSeq: revision }));
      } catch (error) {
        if (isLostRace(error)) return null;
        throw error;
      }
    },
  };
}

const openBucket = (connection: NatsConnection, config: BucketConfig): Promise<KV> => {
  const client = jetstream(connection, { timeout: config.timeoutMs, checkAPI: false });
  return new Kvm(client).create(config.name, {
    storage: config.storage,
    history: 1,
    ttl: config.ttlMs,
    max_bytes: config.bytesMax,
    maxValueSize: config.valueBytesMax ?? -1,
    // Reads go to the stream itself: a replica may lag.
    allow_direct: false,
  });
};

/** Whether a compare-and-set came too late: another writer has changed the key. */
export function isLostRace(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}

/** No stream has the name of the bucket (as a read finds it), or takes its subject (as a write does). */
const isGone = (error: unknown): boolean => {
  if (error instanceof JetStreamApiError) return error.code === JetStreamApiCodes.StreamNotFound;
  // JetStream's client wraps it in an error whose class it does not export.
  return error instanceof Error && error.cause instanceof errors.RequestError && error.cause.isNoResponders();
};
