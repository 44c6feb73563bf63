import sql from 'sql-template-tag';
import type { MatchEntry } from '../../../queries/match/agent-columns.ts';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { type AgentRecord, agentRecordColumns } from '../agent-directory/queries.ts';
import { livePrefix } from '../recent-exchanges/liveness.ts';

/** How far a reader has read the changes: up to this agent of those that changed last at this position. */
export type ChangeCursor = { position: bigint; agentId: string };

/** Before the first change. */
export const noChanges: ChangeCursor = { position: -1n, agentId: '' };

type Row = { generation: string } & { [Key in keyof MatchEntry]: MatchEntry[Key] | null };

/**
 * A page of the agents that changed after a cursor, as they are now, oldest change first; the build that it is from; and whether there may
 * be more. One statement, so one moment: an agent that changes between two pages comes again in a later one. All changes of one event are
 * committed at once, so none appears behind a cursor.
 */
export async function findChangedAgents(
  database: ReadModelDatabase,
  after: ChangeCursor,
  countMax: number,
): Promise<{ generation: string; entries: MatchEntry[]; isCut: boolean }> {
  const rows = await database.query<Row>(sql`
    SELECT p.generation, changed.* FROM projection_checkpoint p LEFT JOIN LATERAL (
      SELECT c.agent_id, c.position AS changed_position, a.universe, a.routable, a.verified, a.org_name_key, a.message_protocol,
        a.settlement_rail, a.configuration->'capabilities' AS capabilities, s.trust_score, s.other_org_transaction_count, s.match_base,
        coalesce(starts_with(s.liveness, ${livePrefix}), false) AS is_live
      FROM agent_change c JOIN agent a USING (agent_id) JOIN agent_standing s USING (agent_id)
      WHERE (c.position, c.agent_id) > (${after.position}::bigint, ${after.agentId}::text)
      ORDER BY c.position, c.agent_id LIMIT ${countMax}::int
    ) changed ON true`);
  const [first] = rows;
  if (first === undefined) throw new Error('the read model has no checkpoint');
  const entries = rows.filter((row): row is Row & MatchEntry => row.agentId !== null);
  return { generation: first.generation, entries, isCut: entries.length >= countMax };
}

/** Agents in no particular order, each with the position of its last change, and the build that they are from; unknown ids are left out. */
export async function findAgentsWithChange(
  database: ReadModelDatabase,
  agentIds: readonly string[],
): Promise<{ build: string; agents: (AgentRecord & { changedPosition: bigint })[] }> {
  const agents = await database.query<AgentRecord & { changedPosition: bigint; generation: string }>(sql`
    SELECT ${agentRecordColumns}, c.position AS changed_position, p.generation
    FROM projection_checkpoint p, agent a JOIN agent_standing s USING (agent_id) JOIN agent_change c USING (agent_id)
    WHERE a.agent_id = ANY (${agentIds}::text[])`);
  return { build: agents[0]?.generation ?? '', agents };
}
