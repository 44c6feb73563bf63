import { type BackoffOptions, backoffMs, pause } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';

/**
 * Attempts something until it succeeds or the service stops.
 *
 * @param attempt a rejection is logged with `whatFailed`, and retried
 * @returns what the attempt resolved to; undefined when the service stops; never rejects
 */
export async function keepTrying<Result>(
  attempt: () => Promise<Result>,
  {
    logger,
    stopping,
    backoff,
    whatFailed,
  }: { logger: Logger; stopping: AbortSignal; backoff: BackoffOptions; whatFailed: string },
): Promise<Result | undefined> {
  for (let failures = 0; !stopping.aborted; failures += 1) {
    const delayMs = backoffMs(failures, backoff);
    try {
      return await attempt();
    } catch (err) {
      if (stopping.aborted) return undefined;
      logger.warn({ err, retry_ms: delayMs }, `${whatFailed}; trying again`);
    }
    await pause(delayMs, stopping);
  }
  return undefined;
}
