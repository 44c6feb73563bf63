import type { EventLog } from '@agent-trust/event-log';
import { progressMeter, readPages, type ReplayProgress } from '@agent-trust/projections';
import type { Review } from '@agent-trust/trust-policy';
import { decodeRegistryEvent, type ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { countingReview, policyReview } from '../../projector/read-models/trust-evidence/projection.ts';

const pageEventsMax = 5_000;

type Registered = Extract<ProjectedRegistryEvent, { type: 'AgentRegistered' }>['data'];

/** What is done with what trust is made of, in the order of the log. */
export type TrustLogReader = {
  registered(agent: Pick<Registered, 'agentId' | 'verified' | 'trustPrior'>): void;
  moved?(agentId: string, universe: 'production' | 'sandbox'): void;
  reviewed(agentId: string, review: Review): void;
};

const typesRead: ReadonlySet<string> = new Set([
  'AgentRegistered',
  'AgentPublished',
  'AgentWithdrawn',
  'ExchangeReviewed',
]);

/** Reads what scores are made of from the log, up to a position. Returns the number of events read, of all types. */
export async function readTrustLog(
  log: EventLog,
  upTo: bigint | null,
  reader: TrustLogReader,
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
      if (event !== null) hand(event, reader);
    }
    meter.add(page);
  }
  return meter.end().events;
}

const hand = (event: ProjectedRegistryEvent, reader: TrustLogReader): void => {
  switch (event.type) {
    case 'AgentRegistered':
      reader.registered(event.data);
      reader.moved?.(event.data.agentId, event.data.universe.kind);
      return;
    case 'AgentPublished':
      reader.moved?.(event.data.agentId, 'production');
      return;
    case 'AgentWithdrawn':
      reader.moved?.(event.data.agentId, 'sandbox');
      return;
    default: {
      const reviewed = countingReview(event);
      if (reviewed !== null) reader.reviewed(reviewed.data.receiverAgentId, policyReview(reviewed));
    }
  }
};
