import { defineTable, type RowOf, type Rows } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import {
  currentStore,
  type EvidenceStore,
  formerStore,
  formerTrustEvidence,
  trustEvidence,
} from '../trust-evidence/tables.ts';
import type { RescoredBy } from '../trust-evidence/projection.ts';
import { mayRescore, type Rescoring } from '../trust-evidence/v2/fold.ts';
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
export function trustHistoryProjection(
  plan: PolicyPlan,
  rescoredBy: ReadonlyMap<string, RescoredBy>,
): RegistryProjection {
  const { name: current } = currentPolicy(plan);
  const stores = new Map(formerPolicies(plan).map(({ policy }) => [policy.name, formerStore(policy.name)]));
  stores.set(current, currentStore);
  const storeInForce = (rows: Pick<Rows, 'get'>): EvidenceStore =>
    stores.get(policyInForce(plan, rows).name) ?? currentStore;
  /** The present event's change of an agent's score, if it has changed the rounded one. */
  const noteChange = (
    event: ProjectedRegistryEvent,
    rows: Rows,
    store: EvidenceStore,
    { causeType, ...scored }: NonNullable<ReturnType<typeof scoredBy>> & { causeType: string },
  ): void => {
    const evidence = store.evidence(rows, scored.agentId);
    // A review of a sandbox scores nothing, and not every review moves the rounded score.
    if (evidence?.scoredPosition !== event.position || evidence.trustScore === evidence.previousScore) return;
    const { trustPolicy, trustScore, previousScore } = evidence;
    rows.insert(trustHistory, {
      ...scored,
      trustPolicy,
      trustScore,
      previousScore,
      position: event.position,
      causeType,
      causeEventId: event.eventId,
    });
  };
  return {
    name: 'trust-history',
    schema: new URL('./schema.sql', import.meta.url),
    tables: [trustHistory],
    readsFrom: [trustPolicyActivations, trustEvidence, formerTrustEvidence],
    reads: (event, wanted) => {
      const scored = scoredBy(event);
      if (scored === null) return;
      wantInForce(plan, wanted);
      if (event.type !== 'AgentRegistered') currentStore.wantEvidence(wanted, scored.agentId);
    },
    readsThen: (event, rows, wanted) => {
      const scored = plan.length === 1 || event.type === 'AgentRegistered' ? null : scoredBy(event);
      if (scored !== null) storeInForce(rows).wantEvidence(wanted, scored.agentId);
    },
    // The agents whose scores change with their organisation's record are in memory: the evidence comes before in the list.
    ...(rescoredBy.size > 0
      ? {
          readsLast: (event, rows) => {
            if (mayRescore(event)) wantInForce(plan, rows);
          },
        }
      : {}),
    apply: (event, rows) => {
      const scored = scoredBy(event);
      if (scored !== null) noteChange(event, rows, storeInForce(rows), { ...scored, causeType: event.type });
      if (rescoredBy.size === 0 || !mayRescore(event)) return;
      const { rescored = [] } = rescoredBy.get(policyInForce(plan, rows).name)?.(event) ?? {};
      if (rescored.length === 0) return;
      const store = storeInForce(rows);
      const causeType = event.type === 'AgentAdopted' ? event.type : recordCause;
      const at = new Date(timeOf(event));
      for (const agentId of rescored) noteChange(event, rows, store, { agentId, at, transactionId: null, causeType });
    },
  };
}

/** The cause of a change that stems from the record of the agent's organisation. */
export const recordCause = 'record';

const timeOf = ({ type, data }: Rescoring): string => {
  switch (type) {
    case 'ExchangeReviewed':
      return data.reviewedAt;
    case 'ReviewsVoided':
      return data.voidedAt;
    case 'AgentAdopted':
      return data.adoptedAt;
    default:
      return type satisfies never;
  }
};

/** The agent that an event scores, and when; null for other events. */
const scoredBy = (
  event: ProjectedRegistryEvent,
): { agentId: string; at: Date; transactionId: string | null } | null => {
  switch (event.type) {
    case 'AgentRegistered':
      return { agentId: event.data.agentId, at: new Date(event.data.registeredAt), transactionId: null };
    case 'ExchangeReviewed': {
      const { receiverAgentId, reviewedAt, transactionId } = event.data;
      return { agentId: receiverAgentId, at: new Date(reviewedAt), transactionId };
    }
    case 'ReviewsVoided':
      return { agentId: event.data.agentId, at: new Date(event.data.voidedAt), transactionId: null };
    default:
      return null;
  }
};
