import type { WebhookMessageWire } from '@agent-trust/contracts';
import type { DueDelivery } from '../outbox/deliveries.ts';

/** The body of a message: the same text whenever the change is sent. */
export function messageBody(delivery: DueDelivery): string {
  const message: WebhookMessageWire = {
    type: 'trust_score.changed',
    timestamp: delivery.at.toISOString(),
    data: {
      agent_id: delivery.agentId,
      trust_score: delivery.trustScore,
      previous_score: delivery.previousScore,
      trust_policy: delivery.trustPolicy,
      position: String(delivery.position),
      cause: { type: delivery.causeType, event_id: delivery.causeEventId, transaction_id: delivery.transactionId },
    },
  };
  return JSON.stringify(message);
}
