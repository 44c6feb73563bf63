import type { TrustChange } from '@agent-trust/contracts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { TrustHistoryRow } from './projection.ts';

/** A page of the changes of an agent's score, oldest first, and how many there are in all. */
export async function findTrustHistory(
  database: ReadModelDatabase,
  page: { agentId: string; limit: number; offset: number },
): Promise<{ history: TrustChange[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    database.query<TrustHistoryRow>({
      name: 'trust-history',
      text: `SELECT position, at, trust_policy AS "trustPolicy", trust_score AS "trustScore", previous_score AS "previousScore",
          cause_type AS "causeType", cause_event_id AS "causeEventId", transaction_id AS "transactionId"
        FROM trust_history WHERE agent_id = $1 ORDER BY position OFFSET $2::int LIMIT $3::int`,
      values: [page.agentId, page.offset, page.limit],
    }),
    database.query<{ total: number }>({
      name: 'trust-history-count',
      text: 'SELECT count(*)::int AS total FROM trust_history WHERE agent_id = $1',
      values: [page.agentId],
    }),
  ]);
  const history = rows.map((row) => ({
    at: row.at.toISOString(),
    position: String(row.position),
    trustScore: row.trustScore,
    previousScore: row.previousScore,
    trustPolicy: row.trustPolicy,
    cause: { type: row.causeType, eventId: row.causeEventId, transactionId: row.transactionId },
  }));
  return { history, total: counted?.total ?? 0 };
}
