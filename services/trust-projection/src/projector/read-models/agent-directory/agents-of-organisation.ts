import type { ReadModelDatabase } from '../../../shared/database.ts';
import { type AgentRecord, agentRecordColumns } from './queries.ts';

/** `after`: the agent_id that the stretch begins behind, null at the beginning; `offset` are left out from there. */
export type OrgAgentPage = {
  orgId: string;
  universe: string;
  after: string | null;
  offset: number;
  limit: number;
};

/**
 * A stretch of an organisation's agents in one universe, routable or not, agent_id ascending. It is named by where it begins and not by
 * a number of agents before it, so that a listing read in stretches has each agent once, whatever comes and goes meanwhile.
 */
export function findAgentsOfOrganisation(
  database: ReadModelDatabase,
  { orgId, universe, after, offset, limit }: OrgAgentPage,
): Promise<AgentRecord[]> {
  return database.query<AgentRecord>({
    name: 'agents-of-organisation',
    // An agent_id has at least one character, so every one comes after the empty text.
    text: `SELECT ${agentRecordColumns}
      FROM (SELECT * FROM agent WHERE org_id = $1 AND universe = $2 AND agent_id > $3 ORDER BY agent_id OFFSET $4::int LIMIT $5::int) a
      JOIN agent_standing s USING (agent_id) ORDER BY a.agent_id`,
    values: [orgId, universe, after ?? '', offset, limit],
  });
}

/** How many agents an organisation has in one universe. */
export async function countAgentsOfOrganisation(
  database: ReadModelDatabase,
  { orgId, universe }: { orgId: string; universe: string },
): Promise<number> {
  const [counted] = await database.query<{ agents: number }>({
    name: 'agents-of-organisation-count',
    text: 'SELECT count(*)::int AS agents FROM agent WHERE org_id = $1 AND universe = $2',
    values: [orgId, universe],
  });
  return counted?.agents ?? 0;
}
