import type { EventLog } from '@agent-trust/event-log';
import { progressMeter, readPages, type ReplayProgress } from '@agent-trust/projections';
import { decodeRegistryEvent, type ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';

const pageEventsMax = 5_000;

/** Follows what trust is made of, event by event, in the order of the log. */
export type TrustLogFollower = (event: ProjectedRegistryEvent) => void;

/** What a policy of any formula reads, and where agents live. */
const typesRead: ReadonlySet<string> = new Set<ProjectedRegistryEvent['type']>([
  'AgentRegistered',
  'AgentAdopted',
  'AgentPublished',
  'AgentWithdrawn',
  'OrgDomainReserved',
  'ExchangeReviewed',
  'ReviewsVoided',
]);

/** Reads what scores are made of from the log, up to a position. Returns the number of events read, of all types. */
export async function readTrustLog(
  log: EventLog,
  upTo: bigint | null,
  followers: readonly TrustLogFollower[],
  options: { onProgress?: (progress: ReplayProgress) => void; signal?: AbortSignal } = {},
): Promise<number> {
  const meter = progressMeter(upTo, options.onProgress);
  meter.phase('build');
  if (upTo === null) return 0;
  for await (const page of readPages(log, { after: null, upTo, countMax: pageEventsMax })) {
    options.signal?.throwIfAborted();
    for (const recorded of page) {
      if (!typesRead.has(recorded.type)) continue;
      const event = decodeRegistryEvent(recorded);
      for (const follow of followers) follow(event);
    }
    meter.add(page);
  }
  return meter.end().events;
}
