import { type CapabilityResolution, taxonomyEvents, taxonomyStream } from '@agent-trust/contracts';
import { seedMeanings, taxonomyDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog } from '@agent-trust/event-log';
import { pause } from '@agent-trust/limits';
import type { Logger } from '@agent-trust/service-kit';
import { writeLimits } from './limits.ts';

const registry = createEventRegistry(taxonomyEvents);

/** A replica of the seed taxonomy. */
export type SeedTaxonomy = {
  /** What trust-projection would say of a name in any universe; null for one that only it can resolve. The name is in normal form. */
  resolve: (name: string) => CapabilityResolution | null;
};

/** Keeps a replica of the stream `taxonomy`, until `stopping`. It is empty until the first read, and while the log cannot be read. */
export function followSeedTaxonomy(
  log: Pick<EventLog, 'readStream'>,
  { logger, stopping, now = () => performance.now() }: { logger: Logger; stopping: AbortSignal; now?: () => number },
): SeedTaxonomy {
  let definitions = taxonomyDecider.initialState;
  let meanings = seedMeanings([]);
  let next = 0n;
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = async (): Promise<void> => {
    const startedAt = now();
    const events = await log.readStream(taxonomyStream, { fromRevision: next });
    for (const event of events) definitions = taxonomyDecider.evolve(definitions, registry.decodeKnown(event));
    if (events.length > 0) meanings = seedMeanings(definitions.values());
    next += BigInt(events.length);
    readAt = startedAt;
  };
  const follow = async (): Promise<void> => {
    for (let isBroken = false; !stopping.aborted; ) {
      try {
        await refresh();
        isBroken = false;
      } catch (err) {
        if (!isBroken && !stopping.aborted)
          logger.warn({ err }, 'the taxonomy could not be read; asking for each name');
        isBroken = true;
      }
      await pause(writeLimits.seedRefreshMs, stopping);
    }
  };
  void follow();
  return {
    resolve: (name) => {
      const meaning = now() - readAt > writeLimits.seedUsableMs ? undefined : meanings.get(name);
      return meaning === undefined ? null : { name, outcome: meaning.how, canonical: meaning.canonical };
    },
  };
}
