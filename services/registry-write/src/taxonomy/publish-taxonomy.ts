import { randomUUID } from 'node:crypto';
import { taxonomyEvents, taxonomyStream } from '@agent-trust/contracts';
import { type CapabilityDefinition, taxonomyDecider } from '@agent-trust/domain';
import { createEventRegistry, type EventLog, handleCommand } from '@agent-trust/event-log';

/**
 * Capabilities that one append defines. The longest that the data's own limits allow has about 5 kB in UTF-8, so that the limit on an
 * append's bytes holds with room to spare.
 */
const eventsPerAppendMax = 100;
/** Appends of one publication; each publishes something, so that only another seed being published against this one reaches it. */
const appendsMax = 1_000;

const registry = createEventRegistry(taxonomyEvents);

/** How much a publication has changed; nothing when the log said what the seed says. */
export type Published = { defined: number; retired: number };

/**
 * Brings the stream `taxonomy` to what the seed says. Any number of instances may do so at once: one that finds that another was faster
 * reads again and publishes what is left.
 *
 * @throws EventLogError when the log does not take it
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
