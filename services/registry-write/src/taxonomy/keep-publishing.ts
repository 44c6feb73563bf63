import { backoffMs, pause } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import type { Published } from './publish-taxonomy.ts';

/** Longest that a start waits for the taxonomy: a log that is slower has the rest of the service run without it for now. */
export const publicationWaitMs = 5_000;
const retryBackoff = { firstMs: 500, longestMs: 60_000, jitter: 0 };

/**
 * Publishes until it has worked once, or the service stops. The registry works with an older taxonomy, or none, so neither a slow log
 * nor one that is away for a while ends the start.
 *
 * @param publish one try; what it rejects with is logged and tried again
 * @returns resolves when published, or after `waitMs` or when stopping begins, whichever is first; never rejects
 */
export async function keepPublishing(
  publish: () => Promise<Published>,
  { logger, stopping, waitMs = publicationWaitMs }: { logger: Logger; stopping: AbortSignal; waitMs?: number },
): Promise<void> {
  const published = new AbortController();
  void tryUntilPublished(publish, logger, stopping).then(() => published.abort());
  await pause(waitMs, AbortSignal.any([stopping, published.signal]));
  if (!published.signal.aborted && !stopping.aborted) {
    logger.info('serving while the taxonomy is still being published');
  }
}

const tryUntilPublished = async (
  publish: () => Promise<Published>,
  logger: Logger,
  stopping: AbortSignal,
): Promise<void> => {
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const delayMs = backoffMs(failures, retryBackoff);
    try {
      const published = await publish();
      if (published.defined + published.retired > 0) logger.info(published, 'taxonomy published');
      return;
    } catch (err) {
      if (stopping.aborted) return;
      logger.warn({ err, retry_ms: delayMs }, 'the taxonomy could not be published; trying again');
    }
    await pause(delayMs, stopping);
  }
};
