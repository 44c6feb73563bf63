import { JetStreamApiCodes, JetStreamApiError, jetstream, StorageType } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from '@agent-trust/service-kit';
import { settlementLimits as limits } from './limits.ts';

/** Does something with a bucket; answers `otherwise` where that fails or takes longer than `demandTimeoutMs`, and never throws. */
export type Attempt = <Result>(work: (kv: KV) => Promise<Result>, otherwise: Result) => Promise<Result>;

class TooLateError extends Error {
  override readonly name = 'TooLateError';
}

/** A value that has no room, say: the server has looked, so the bucket is there. */
const isRefusal = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code !== JetStreamApiCodes.StreamNotFound;

/**
 * A bucket that is opened when it is first needed; whichever proxy needs it first makes it. One deadline is for both, the opening and the
 * work. It is looked for again only when it may be gone, with the server's disk say: who fills it must not cost each request that look.
 */
export function attemptsOn(connection: NatsConnection, logger: Logger, name: string, bytesMax: number): Attempt {
  let bucket: Promise<KV> | undefined;
  let warnAgainAt = Number.NEGATIVE_INFINITY;
  const open = (): Promise<KV> => {
    bucket ??= new Kvm(jetstream(connection, { timeout: limits.demandTimeoutMs, checkAPI: false })).create(name, {
      storage: StorageType.File,
      history: 1,
      ttl: limits.demandLifetimeMs,
      max_bytes: bytesMax,
      maxValueSize: limits.demandBytesMax,
      // Reads go to the stream itself: a replica may lag.
      allow_direct: false,
    });
    return bucket;
  };
  const openAndWork = async <Result>(work: (kv: KV) => Promise<Result>): Promise<Result> => {
    const opening = open();
    try {
      return await work(await opening);
    } catch (error) {
      // Another request may have opened it anew by now.
      if (!isRefusal(error) && bucket === opening) bucket = undefined;
      throw error;
    }
  };
  /** Whoever asks for payment chooses how often this fails, so it is told now and then only. */
  const warn = (error: unknown): void => {
    const now = performance.now();
    if (now < warnAgainAt) return;
    warnAgainAt = now + limits.demandWarningEveryMs;
    logger.warn({ err: error, bucket: name }, 'what was asked of a payer cannot be kept or found now');
  };

  return async (work, otherwise) => {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new TooLateError(`no answer within ${limits.demandTimeoutMs} ms`)),
        limits.demandTimeoutMs,
      );
    });
    try {
      return await Promise.race([openAndWork(work), deadline]);
    } catch (error) {
      warn(error);
      return otherwise;
    } finally {
      clearTimeout(timer);
    }
  };
}
