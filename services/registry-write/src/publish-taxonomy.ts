import { randomUUID } from 'node:crypto';
import { taxonomyEvents, taxonomyStream } from '@agent-trust/contracts';
import { type CapabilityDefinition, taxonomyDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog, handleCommand } from '@agent-trust/event-log';
import { pause } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { keepTrying } from './keep-trying.ts';

/** Capabilities of one append. The longest that the data's limits allow has about 5 kB in UTF-8, far below the limit of an append's bytes. */
const eventsPerAppendMax = 100;
/** Each append publishes something, so only another seed that is published at the same time can exhaust this. */
const appendsMax = 1_000;

const registry = createEventRegistry(taxonomyEvents);

/** The number of published changes. */
export type Published = { defined: number; retired: number };

/**
 * Publishes the differences between the seed and the stream `taxonomy`. Any number of instances may do so at once: one that finds another
 * faster reads again and publishes the rest.
 *
 * @throws EventLogError
 */
export async function publishTaxonomy(
  { log, now }: { log: EventLog; now: () => Date },
  seed: readonly CapabilityDefinition[],
): Promise<Published> {
  const published: Published = { defined: 0, retired: 0 };
  const metadata = { correlationId: randomUUID(), actor: { kind: 'system', id: null, credentials: [] } };
  for (let appends = 0; appends < appendsMax; appends += 1) {
    const { events } = await handleCommand({
      log,
      registry,
      decider: taxonomyDecider,
      stream: taxonomyStream,
      command: { type: 'PublishTaxonomy', seed, eventsMax: eventsPerAppendMax, now: now().toISOString() },
      metadata,
      newEventId: randomUUID,
    });
    if (events.length === 0) return published;
    const retired = events.filter(({ type }) => type === 'CapabilityRetired').length;
    published.retired += retired;
    published.defined += events.length - retired;
  }
  throw new Error('the taxonomy is published from two different seeds at once; run one version of the registry');
}

/** Longest wait of a start for the taxonomy; if the log is slower, the service runs without the seed until it is published. */
export const publicationWaitMs = 5_000;
const retryBackoff = { firstMs: 500, longestMs: 60_000, jitter: 0 };

/**
 * Publishes until one attempt succeeds or the service stops. The registry works with an older taxonomy or none, so an unavailable log does
 * not prevent the start.
 *
 * @param publish one attempt; a rejection is logged and retried
 * @returns resolves when published, after `waitMs`, or when stopping begins, whichever is first; never rejects
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
  const whatFailed = 'the taxonomy could not be published';
  const published = await keepTrying(publish, { logger, stopping, backoff: retryBackoff, whatFailed });
  if (published !== undefined && published.defined + published.retired > 0)
    logger.info(published, 'taxonomy published');
};
