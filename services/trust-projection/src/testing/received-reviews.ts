import type { RecordedEvent } from '@agent-trust/event-log';
import type { RecordedReview } from '@agent-trust/trust-policy';
import { decodeRegistryEvent } from '../projector/read-models/registry-event.ts';
import { countingReview, policyReview } from '../projector/read-models/trust-evidence/reviewed.ts';

type Received = RecordedReview & { transactionId: string };

/**
 * What tests compare scores with: the reviews of production that each agent has received after some events, in their order. A review counts
 * as made no earlier than those that count when it is made.
 */
export function receivedReviews(events: readonly RecordedEvent[]): Map<string, Received[]> {
  const all = new Map<string, Received[]>();
  for (const recorded of events) {
    const event = decodeRegistryEvent(recorded);
    if (event.type === 'ReviewsVoided') {
      for (const each of all.get(event.data.agentId) ?? []) {
        each.isVoid ||= event.data.transactionIds.includes(each.transactionId);
      }
    }
    const reviewed = event === null ? null : countingReview(event);
    if (reviewed === null) continue;
    const { receiverAgentId, transactionId } = reviewed.data;
    const received = all.get(receiverAgentId) ?? [];
    const review = policyReview(reviewed);
    const newest = Math.max(0, ...received.flatMap((each) => (each.isVoid ? [] : each.review.reviewedAt)));
    const reviewedAt = Math.max(newest, review.reviewedAt);
    received.push({ transactionId, review: { ...review, reviewedAt }, isVoid: false });
    all.set(receiverAgentId, received);
  }
  return all;
}
