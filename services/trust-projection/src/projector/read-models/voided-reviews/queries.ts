import { production, type selectReviews } from '@agent-trust/contracts';
import type { Received, Sent } from '@agent-trust/nats-rpc';
import sql, { join, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { pick } from '../../../shared/pick.ts';
import { universeKey } from '../universe-key.ts';

type Question = Received<(typeof selectReviews)['input']>;
type Found = Sent<(typeof selectReviews)['output']>['reviews'][number];
type Row = Omit<Found, 'reviewedAt'> & { reviewedAt: Date; total: number };

/** The selected reviews of production that are not void; at least one of the lists must be there, so that an index finds them. */
export async function findSelectedReviews(
  database: ReadModelDatabase,
  { selection, limit }: Question,
): Promise<{ reviews: Found[]; remaining: number }> {
  const { transactionIds, reviewerAgentIds, agentIds, reviewedFrom, reviewedUntil } = selection;
  const conditions: Sql[] = [
    sql`r.universe = ${universeKey(production)}`,
    sql`NOT EXISTS (SELECT FROM voided_review v WHERE v.position = r.position)`,
  ];
  if (transactionIds !== null) {
    // No index has the exchange of a rating, but the exchange has its pair.
    conditions.push(
      sql`r.transaction_id = ANY (${transactionIds}::text[])`,
      sql`(r.receiver_agent_id, r.caller_agent_id) IN (SELECT x.receiver_agent_id, x.caller_agent_id FROM exchange x
        WHERE x.transaction_id = ANY (${transactionIds}::text[]))`,
    );
  }
  if (reviewerAgentIds !== null) conditions.push(sql`r.caller_agent_id = ANY (${reviewerAgentIds}::text[])`);
  if (agentIds !== null) conditions.push(sql`r.receiver_agent_id = ANY (${agentIds}::text[])`);
  if (reviewedFrom !== null) conditions.push(sql`r.reviewed_at >= ${reviewedFrom}::timestamptz`);
  if (reviewedUntil !== null) conditions.push(sql`r.reviewed_at < ${reviewedUntil}::timestamptz`);
  const rows = await database.query<Row>(sql`
    SELECT r.transaction_id, r.receiver_agent_id AS agent_id, r.caller_agent_id AS reviewer_agent_id, r.success, r.score,
      r.reviewed_at, count(*) OVER ()::int AS total
    FROM rating r WHERE ${join(conditions, ' AND ')} ORDER BY r.position LIMIT ${limit}::int`);
  const reviews = rows.map((row) => ({
    ...pick(row, 'transactionId', 'agentId', 'reviewerAgentId', 'success', 'score'),
    reviewedAt: row.reviewedAt.toISOString(),
  }));
  return { reviews, remaining: (rows[0]?.total ?? 0) - rows.length };
}
