import { defineTable, type RowOf, type Rows } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import {
  currentStore,
  type EvidenceStore,
  formerStore,
  formerTrustEvidence,
  trustEvidence,
} from '../trust-evidence/tables.ts';
import { policyInForce, wantInForce } from '../trust-policy/projection.ts';
import { currentPolicy, formerPolicies, type PolicyPlan } from '../trust-policy/policy-plan.ts';
import { trustPolicyActivations } from '../trust-policy/projection.ts';

/** One change of an agent's score and the event that caused it. */
export const trustHistory = defineTable({
  name: 'trust_history',
  columns: {
    agentId: 'text',
    position: 'bigint',
    at: 'timestamptz',
    trustPolicy: 'text',
    trustScore: 'integer',
    /** Null where the score begins. */
    previousScore: 'integer?',
    causeType: 'text',
    causeEventId: 'text',
    transactionId: 'text?',
  },
  key: ['agentId', 'position'],
  appendOnly: true,
});
export type TrustHistoryRow = RowOf<typeof trustHistory>;

/** Writes down each change of the score that held at the time, by whichever policy was in force. */
export function trustHistoryProjection(plan: PolicyPlan): RegistryProjection {
  const { name: current } = currentPolicy(plan);
  const stores = new Map(formerPolicies(plan).map(({ policy }) => [policy.name, formerStore(policy.name)]));
  stores.set(current, currentStore);
  const storeInForce = (rows: Pick<Rows, 'get'>): EvidenceStore =>
    stores.get(policyInForce(plan, rows).name) ?? currentStore;
  return {
    name: 'trust-history',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [trustHistory],
    readsFrom: [trustPolicyActivations, trustEvidence, formerTrustEvidence],
    reads: (event, wanted) => {
      const agentId = scoredAgentOf(event);
      if (agentId === null) return;
      wantInForce(plan, wanted);
      currentStore.wantEvidence(wanted, agentId);
    },
    readsThen: (event, rows, wanted) => {
      const agentId = plan.length === 1 ? null : scoredAgentOf(event);
      if (agentId !== null) storeInForce(rows).wantEvidence(wanted, agentId);
    },
    apply: (event, rows) => {
      const agentId = scoredAgentOf(event);
      if (agentId === null || (event.type !== 'AgentRegistered' && event.type !== 'ExchangeReviewed')) return;
      const isReview = event.type === 'ExchangeReviewed';
      const evidence = storeInForce(rows).evidence(rows, agentId);
      // A review of a sandbox scores nothing, and not every review moves the rounded score.
      if (evidence?.scoredPosition !== event.position || evidence.trustScore === evidence.previousScore) return;
      rows.insert(trustHistory, {
        agentId,
        position: event.position,
        at: new Date(isReview ? event.data.reviewedAt : event.data.registeredAt),
        trustPolicy: evidence.trustPolicy,
        trustScore: evidence.trustScore,
        previousScore: evidence.previousScore,
        causeType: event.type,
        causeEventId: event.eventId,
        transactionId: isReview ? event.data.transactionId : null,
      });
    },
  };
}

const scoredAgentOf = (event: ProjectedRegistryEvent): string | null => {
  if (event.type === 'AgentRegistered') return event.data.agentId;
  return event.type === 'ExchangeReviewed' ? event.data.receiverAgentId : null;
};
