import type { TrustChange } from '@agent-trust/contracts';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { TrustHistoryRow } from './projection.ts';

/** A page of the changes of an agent's score, oldest first, and how many there are in all. */
export async function findTrustHistory(
  database: ReadModelDatabase,
  { agentId, limit, offset }: { agentId: string; limit: number; offset: number },
): Promise<{ history: TrustChange[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    // Columns by name: a prepared `SELECT *` fails where a newer instance has switched to a schema with more columns.
    database.query<TrustHistoryRow>(
      sql`SELECT position, at, trust_policy, trust_score, previous_score, cause_type, cause_event_id, transaction_id
        FROM trust_history WHERE agent_id = ${agentId} ORDER BY position OFFSET ${offset}::int LIMIT ${limit}::int`,
    ),
    database.query<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM trust_history WHERE agent_id = ${agentId}`,
    ),
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
