import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { type AgentRecord, agentRecordColumns } from '../agent-directory/queries.ts';

/** `total` counts the agents on all pages. */
export type RegistryPage = { agents: AgentRecord[]; total: number };

/** A row that has no agent is there for the total. */
export type RegistryRow = { total: number } & (AgentRecord | { agentId: null });

export function registryPageOf(rows: readonly RegistryRow[]): RegistryPage {
  return {
    agents: rows.filter((row): row is { total: number } & AgentRecord => row.agentId !== null),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * A page of the routable agents of a universe: trust_score descending, then agent_id ascending; and how many there are on all pages. One
 * statement, so one moment. The counts by score say where the page begins.
 */
export async function findRegistryPage(
  database: ReadModelDatabase,
  {
    universe,
    limit,
    offset,
    minTrustScore,
  }: { universe: string; limit: number; offset: number; minTrustScore: number },
): Promise<RegistryPage> {
  const rows = await database.query<RegistryRow>(sql`
    WITH score AS (
      SELECT (n.ordinality - 1)::int AS trust_score, n.value::int AS agents,
        (sum(n.value::int) OVER (ORDER BY n.ordinality DESC) - n.value::int)::int AS before
      FROM registry_size, jsonb_array_elements_text(agents_by_score) WITH ORDINALITY n(value, ordinality)
      WHERE universe = ${universe} AND n.ordinality - 1 >= ${minTrustScore}::int
    ), first AS (
      SELECT trust_score, ${offset}::int - before AS skip FROM score
      WHERE before <= ${offset}::int AND ${offset}::int < before + agents
    ), counted AS (
      SELECT coalesce(sum(agents), 0)::int AS total FROM score
    )
    SELECT counted.total, ${agentRecordColumns}
    FROM counted LEFT JOIN (
      (SELECT p.* FROM first, LATERAL (
        SELECT * FROM agent_standing s
        WHERE s.universe = ${universe} AND s.routable AND s.trust_score <= first.trust_score
          AND s.trust_score >= ${minTrustScore}::int
        ORDER BY s.trust_score DESC, s.agent_id OFFSET first.skip LIMIT ${limit}::int) p) s
      JOIN agent a USING (agent_id)
    ) ON true
    ORDER BY s.trust_score DESC, a.agent_id`);
  return registryPageOf(rows);
}
