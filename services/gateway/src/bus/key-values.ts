import { jetstream, JetStreamApiCodes, JetStreamApiError, type StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';

type BucketConfig = {
  name: string;
  storage: StorageType;
  /** Lifetime of an entry, from its last change. nats-server before 2.11 knows no other than this one for the whole bucket. */
  ttlMs: number;
  /** A full bucket refuses further entries; it never drops one before its time. */
  bytesMax: number;
  valueBytesMax?: number;
  timeoutMs: number;
};

/** A bucket of JetStream's key-value store, shared by all gateways. */
type KeyValues = {
  /** The bucket, made by whichever gateway needs it first. */
  open(): Promise<KV>;
  /** Makes the next `open` look for the bucket again: one in memory is gone with the server that held it. */
  forget(): void;
};

export function createKeyValues(connection: NatsConnection, config: BucketConfig): KeyValues {
  let bucket: Promise<KV> | undefined;
  return {
    open: () => {
      bucket ??= openBucket(connection, config);
      bucket.catch(() => {
        bucket = undefined;
      });
      return bucket;
    },
    forget: () => {
      bucket = undefined;
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

/** Whether a compare-and-set of a key-value bucket came too late: somebody else has written the key since. */
export function isLostRace(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}
