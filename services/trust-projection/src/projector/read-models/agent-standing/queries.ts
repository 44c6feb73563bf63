import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/** A page of the routable agents of a universe: trust_score descending, then agent_id ascending. The counts by score say where it begins. */
export async function findRegistryPage(
  database: ReadModelDatabase,
  {
    universe,
    limit,
    offset,
    minTrustScore,
  }: { universe: string; limit: number; offset: number; minTrustScore: number },
): Promise<{ agentIds: string[]; total: number }> {
  const [row] = await database.query<{ total: number; agentIds: string[] | null }>(sql`
    WITH score AS (
      SELECT (n.ordinality - 1)::int AS trust_score, n.value::int AS agents,
        (sum(n.value::int) OVER (ORDER BY n.ordinality DESC) - n.value::int)::int AS before
      FROM registry_size, jsonb_array_elements_text(agents_by_score) WITH ORDINALITY n(value, ordinality)
      WHERE universe = ${universe} AND n.ordinality - 1 >= ${minTrustScore}::int
    ), first AS (
      SELECT trust_score, ${offset}::int - before AS skip FROM score
      WHERE before <= ${offset}::int AND ${offset}::int < before + agents
    )
    SELECT coalesce((SELECT sum(agents) FROM score), 0)::int AS total,
      (SELECT array_agg(p.agent_id::text ORDER BY p.trust_score DESC, p.agent_id)
       FROM first, LATERAL (
         SELECT s.agent_id, s.trust_score FROM agent_standing s
         WHERE s.universe = ${universe} AND s.routable AND s.trust_score <= first.trust_score
           AND s.trust_score >= ${minTrustScore}::int
         ORDER BY s.trust_score DESC, s.agent_id OFFSET first.skip LIMIT ${limit}::int) p) AS agent_ids`);
  return { agentIds: row?.agentIds ?? [], total: row?.total ?? 0 };
}
