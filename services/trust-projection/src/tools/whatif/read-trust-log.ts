import type { EventLog } from '@agent-trust/event-log';
import { progressMeter, readPages, type ReplayProgress } from '@agent-trust/projections';
import type { RecordedReview, Review } from '@agent-trust/trust-policy';
import { decodeRegistryEvent, type ProjectedRegistryEvent } from '../../projector/read-models/registry-event.ts';
import { countingReview, policyReview } from '../../projector/read-models/trust-evidence/reviewed.ts';

const pageEventsMax = 5_000;

type Registered = Extract<ProjectedRegistryEvent, { type: 'AgentRegistered' }>['data'];

/** The place of an event in the log. */
export type PlaceInLog = Pick<ProjectedRegistryEvent, 'position' | 'recordedAt'>;

/** What is done with what trust is made of, in the order of the log. */
export type TrustLogReader = {
  registered(agent: Pick<Registered, 'agentId' | 'verified' | 'trustPrior'>, place: PlaceInLog): void;
  moved?(agentId: string, universe: 'production' | 'sandbox'): void;
  reviewed(agentId: string, review: Review, place: PlaceInLog): void;
  /** Some reviews of an agent are void now: all that it ever received, oldest first. */
  recounted(agentId: string, reviews: readonly RecordedReview[], place: PlaceInLog): void;
};

const typesRead: ReadonlySet<string> = new Set([
  'AgentRegistered',
  'AgentPublished',
  'AgentWithdrawn',
  'ExchangeReviewed',
  'ReviewsVoided',
]);

/** Reads what scores are made of from the log, up to a position. Returns the number of events read, of all types. */
export async function readTrustLog(
  log: EventLog,
  upTo: bigint | null,
  reader: TrustLogReader,
  options: { onProgress?: (progress: ReplayProgress) => void; signal?: AbortSignal } = {},
): Promise<number> {
  const received: Received = new Map();
  const meter = progressMeter(upTo, options.onProgress);
  meter.phase('build');
  if (upTo === null) return 0;
  for await (const page of readPages(log, { after: null, upTo, countMax: pageEventsMax })) {
    options.signal?.throwIfAborted();
    for (const recorded of page) {
      if (!typesRead.has(recorded.type)) continue;
      hand(decodeRegistryEvent(recorded), reader, received);
    }
    meter.add(page);
  }
  return meter.end().events;
}

/** The reviews of production that each agent received, because some may be voided later. */
type Received = Map<string, (RecordedReview & { transactionId: string })[]>;

const hand = (event: ProjectedRegistryEvent, reader: TrustLogReader, received: Received): void => {
  switch (event.type) {
    case 'AgentRegistered':
      reader.registered(event.data, event);
      reader.moved?.(event.data.agentId, event.data.universe.kind);
      return;
    case 'AgentPublished':
      reader.moved?.(event.data.agentId, 'production');
      return;
    case 'AgentWithdrawn':
      reader.moved?.(event.data.agentId, 'sandbox');
      return;
    case 'ReviewsVoided': {
      const named = new Set(event.data.transactionIds);
      const reviews = received.get(event.data.agentId) ?? [];
      for (const each of reviews) each.isVoid ||= named.has(each.transactionId);
      reader.recounted(event.data.agentId, reviews, event);
      return;
    }
    default: {
      const reviewed = countingReview(event);
      if (reviewed === null) return;
      const { receiverAgentId, transactionId } = reviewed.data;
      const reviews = received.get(receiverAgentId) ?? [];
      const review = notBefore(policyReview(reviewed), reviews);
      reader.reviewed(receiverAgentId, review, event);
      reviews.push({ transactionId, review, isVoid: false });
      received.set(receiverAgentId, reviews);
    }
  }
};

/** A review counts as made no earlier than the newest one that counts then, and keeps that time. */
const notBefore = (review: Review, reviews: readonly RecordedReview[]): Review => {
  const newest = reviews.findLast(({ isVoid }) => !isVoid)?.review.reviewedAt;
  return newest === undefined || newest <= review.reviewedAt ? review : { ...review, reviewedAt: newest };
};
