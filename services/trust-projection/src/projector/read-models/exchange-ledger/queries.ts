import type { ReadModelDatabase } from '../../../shared/database.ts';

/** The newest ended and unreviewed exchange of a pair in one universe, or null. */
export async function findUnreviewedExchange(
  database: ReadModelDatabase,
  pair: { callerAgentId: string; receiverAgentId: string; universe: string },
): Promise<string | null> {
  const rows = await database.query<{ transactionId: string }>({
    name: 'unreviewed-exchange',
    text: `SELECT transaction_id AS "transactionId" FROM exchange
      WHERE caller_agent_id = $1 AND receiver_agent_id = $2 AND universe = $3 AND NOT reviewed AND ended_position IS NOT NULL
      ORDER BY ended_position DESC LIMIT 1`,
    values: [pair.callerAgentId, pair.receiverAgentId, pair.universe],
  });
  return rows[0]?.transactionId ?? null;
}

/** Exchanges whose end is overdue, by the database's clock; longest overdue first. */
export async function findOverdueExchanges(database: ReadModelDatabase, countMax: number): Promise<string[]> {
  const rows = await database.query<{ transactionId: string }>({
    name: 'overdue-exchanges',
    text: `SELECT transaction_id AS "transactionId" FROM exchange WHERE end_due_at < now() ORDER BY end_due_at LIMIT $1`,
    values: [countMax],
  });
  return rows.map(({ transactionId }) => transactionId);
}
