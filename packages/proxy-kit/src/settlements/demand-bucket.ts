import { DeadlineError, withDeadline } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { JetStreamApiCodes, JetStreamApiError, jetstream, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { proxyLimits as limits } from '../limits.ts';

/** Uses a bucket. Never throws: returns `fallback` if the work fails, or takes longer than `demandTimeoutMs`. */
export type Attempt = <Result>(work: (kv: KV) => Promise<Result>, fallback: Result) => Promise<Result>;

/** The server refused the request, for example for lack of room, so the bucket exists. */
const isRefusal = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code !== JetStreamApiCodes.StreamNotFound;

/**
 * A bucket that is opened on first use, and created by the first proxy that needs it. It is opened again only if it may be gone, for example with
 * the server's disk: a full bucket must not cost each request another lookup.
 */
export function openBucket(connection: NatsConnection, logger: Logger, name: string, bytesMax: number): Attempt {
  const timeoutMs = limits.demandTimeoutMs;
  let bucket: Promise<KV> | undefined;
  let warnAgainAt = Number.NEGATIVE_INFINITY;
  const open = (): Promise<KV> =>
    new Kvm(jetstream(connection, { timeout: timeoutMs, checkAPI: false })).create(name, {
      storage: StorageType.File,
      history: 1,
      ttl: limits.demandLifetimeMs,
      max_bytes: bytesMax,
      maxValueSize: limits.demandBytesMax,
      // Reads go to the stream's leader: a replica may lag.
      allow_direct: false,
    });
  const openAndWork = async <Result>(work: (kv: KV) => Promise<Result>): Promise<Result> => {
    const opening = (bucket ??= open());
    try {
      return await work(await opening);
    } catch (error) {
      // Unless another request has opened it again.
      if (!isRefusal(error) && bucket === opening) bucket = undefined;
      throw error;
    }
  };
  /** At most once a minute: whoever demands payment determines how often this fails. */
  const warn = (error: unknown): void => {
    const now = performance.now();
    if (now < warnAgainAt) return;
    warnAgainAt = now + limits.demandWarningEveryMs;
    logger.warn({ err: error, bucket: name }, 'payment demands cannot be kept or found now');
  };

  return async (work, fallback) => {
    try {
      // One deadline for the opening and the work.
      return await withDeadline(openAndWork(work), timeoutMs, () => new DeadlineError(`the bucket ${name}`, timeoutMs));
    } catch (error) {
      warn(error);
      return fallback;
    }
  };
}
