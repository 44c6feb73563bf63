import { jetstream, JetStreamApiCodes, JetStreamApiError, type StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { JetStreamLink } from '@agent-trust/nats-rpc';
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

/** What buckets need of a connection to JetStream. */
export type JetStreamBus = Pick<JetStreamLink, 'connection' | 'run'>;

/** A bucket of JetStream's key-value store, shared by all gateways and created by whichever needs it first. */
export type KeyValues = {
  /** Works on the bucket. One that has gone with the server's memory or disk is created again, once: nothing was written to it. */
  use<Result>(work: (bucket: KV) => Promise<Result>): Promise<Result>;
  /** Writes a key if `revision` is still its latest (0: it has no value). @returns the new revision, or null if another writer was faster. */
  swap(key: string, value: string | Uint8Array, revision: number): Promise<number | null>;
  /** When the bucket was created: milliseconds since 1970, by the server's clock. It remembers nothing from before. */
  createdAt(): Promise<number>;
};

type Opened = { bucket: KV; createdAt: number };

/** Work is refused at once while JetStream does not answer, with a JetStreamSilentError. */
export function createKeyValues({ connection, run }: JetStreamBus, config: BucketConfig): KeyValues {
  let opened: Promise<Opened> | undefined;
  let server: string | undefined;
  const open = (): Promise<Opened> => {
    // A server that was restarted may have lost the bucket, and another client may have created it again.
    const present = connection.info?.server_id;
    if (present !== server) opened = undefined;
    server = present;
    opened ??= openBucket(connection, config);
    return opened;
  };
  const attempt = async <Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work(await open());
      } catch (error) {
        if (isLostRace(error)) throw error;
        // The next request looks for the bucket again.
        opened = undefined;
        if (!isFirst || !isGone(error)) throw error;
      }
    }
  };
  const use: KeyValues['use'] = (work) => run(() => attempt(({ bucket }) => work(bucket)));
  return {
    use,
    createdAt: () => run(() => attempt(({ createdAt }) => Promise.resolve(createdAt))),
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

const openBucket = async (connection: NatsConnection, config: BucketConfig): Promise<Opened> => {
  const client = jetstream(connection, { timeout: config.timeoutMs, checkAPI: false });
  const bucket = await new Kvm(client).create(config.name, {
    storage: config.storage,
    history: 1,
    ttl: config.ttlMs,
    max_bytes: config.bytesMax,
    maxValueSize: config.valueBytesMax ?? -1,
    // Reads go to the stream itself: a replica may lag.
    allow_direct: false,
  });
  const { streamInfo } = await bucket.status();
  return { bucket, createdAt: Date.parse(streamInfo.created) };
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
