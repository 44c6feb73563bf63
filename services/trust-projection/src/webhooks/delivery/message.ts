import { recordChangedType, type WebhookMessageWire } from '@agent-trust/contracts';
import type { DueMessage } from '../outbox/deliveries.ts';

/** The body of a message: the same text whenever the change or notice is sent. */
export function messageBody(delivery: DueMessage): string {
  return JSON.stringify(messageOf(delivery));
}

const messageOf = (delivery: DueMessage): WebhookMessageWire => {
  const timestamp = delivery.at.toISOString();
  const position = String(delivery.position);
  const { causeType, causeEventId, transactionId } = delivery;
  const cause = { type: causeType, event_id: causeEventId, transaction_id: transactionId };
  if (delivery.type === 'trust_score.changed') {
    const { type, agentId: agent_id, trustScore, previousScore, trustPolicy } = delivery;
    const score = { trust_score: trustScore, previous_score: previousScore, trust_policy: trustPolicy };
    return { type, timestamp, data: { agent_id, ...score, position, cause } };
  }
  if (delivery.type === recordChangedType) {
    const {
      type,
      orgId: org_id,
      record,
      previousRecord: previous_record,
      trustPolicy: trust_policy,
      agents,
    } = delivery;
    const record_change = { org_id, record, previous_record, trust_policy, agents };
    return {
      type,
      timestamp,
      data: { agent_id: null, org_domain: null, reason: null, record_change, position, cause },
    };
  }
  const { type, agentId, orgDomain: org_domain, reason } = delivery;
  return { type, timestamp, data: { agent_id: agentId === '' ? null : agentId, org_domain, reason, position, cause } };
};
