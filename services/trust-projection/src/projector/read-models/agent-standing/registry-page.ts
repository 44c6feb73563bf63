import type { ReadModelDatabase } from '../../../shared/database.ts';

/** `total` counts all agents that pass `minTrustScore`, on whatever page. */
export type RegistryPage = { agentIds: string[]; total: number };

/**
 * A page of the routable agents of a universe: trust_score descending, then agent_id ascending.
 *
 * The counts by score say how many agents there are and at which score the page begins, so that only the agents of that
 * one score are skipped one by one, however far the page is.
 */
export async function findRegistryPage(
  database: ReadModelDatabase,
  page: { universe: string; limit: number; offset: number; minTrustScore: number },
): Promise<RegistryPage> {
  const rows = await database.query<{ total: number; agentIds: string[] | null }>({
    name: 'registry-page',
    text: `WITH score AS (
        SELECT (n.ordinality - 1)::int AS trust_score, n.value::int AS agents,
          (sum(n.value::int) OVER (ORDER BY n.ordinality DESC) - n.value::int)::int AS before
        FROM registry_size, jsonb_array_elements_text(agents_by_score) WITH ORDINALITY n(value, ordinality)
        WHERE universe = $1 AND n.ordinality - 1 >= $4::int
      ), first AS (
        SELECT trust_score, $3::int - before AS skip FROM score WHERE before <= $3::int AND $3::int < before + agents
      )
      SELECT coalesce((SELECT sum(agents) FROM score), 0)::int AS total,
        (SELECT array_agg(p.agent_id::text ORDER BY p.trust_score DESC, p.agent_id)
         FROM first, LATERAL (
           SELECT s.agent_id, s.trust_score FROM agent_standing s
           WHERE s.universe = $1 AND s.routable AND s.trust_score <= first.trust_score AND s.trust_score >= $4::int
           ORDER BY s.trust_score DESC, s.agent_id OFFSET first.skip LIMIT $2::int) p) AS "agentIds"`,
    values: [page.universe, page.limit, page.offset, page.minTrustScore],
  });
  return { agentIds: rows[0]?.agentIds ?? [], total: rows[0]?.total ?? 0 };
}
