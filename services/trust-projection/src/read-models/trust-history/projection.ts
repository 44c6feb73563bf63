import { anyTable, defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';
import { trustEvidence } from '../trust-evidence/tables.ts';

/** One change of an agent's score and the event that caused it. */
export type TrustHistoryRow = {
  agentId: string;
  position: bigint;
  at: Date;
  trustPolicy: string;
  trustScore: number;
  /** Null where the score begins. */
  previousScore: number | null;
  causeType: string;
  causeEventId: string;
  transactionId: string | null;
};

export const trustHistory = defineTable<TrustHistoryRow>({
  name: 'trust_history',
  columns: {
    agentId: 'text',
    position: 'bigint',
    at: 'timestamptz',
    trustPolicy: 'text',
    trustScore: 'integer',
    previousScore: 'integer',
    causeType: 'text',
    causeEventId: 'text',
    transactionId: 'text',
  },
  key: ['agentId', 'position'],
  appendOnly: true,
});

export const trustHistoryProjection: RegistryProjection = {
  name: 'trust-history',
  tables: [anyTable(trustHistory)],
  reads: (event, wanted) => {
    if (event.type === 'AgentRegistered') wanted.row(trustEvidence, event.data.agentId);
    else if (event.type === 'ExchangeReviewed') wanted.row(trustEvidence, event.data.receiverAgentId);
  },
  apply: (event, rows) => {
    if (event.type !== 'AgentRegistered' && event.type !== 'ExchangeReviewed') return;
    const isReview = event.type === 'ExchangeReviewed';
    const agentId = isReview ? event.data.receiverAgentId : event.data.agentId;
    const evidence = rows.get(trustEvidence, agentId);
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
