import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { MatchEntry } from '../../../queries/match/agent-columns.ts';
import { type AgentRecord, agentRecordColumns } from '../agent-directory/queries.ts';

/** How far somebody has read the changes: up to this agent of those that changed last at this position. */
export type ChangeCursor = { position: bigint; agentId: string };

/** Before the first change. */
export const noChanges: ChangeCursor = { position: -1n, agentId: '' };

/** A stretch of the agents that changed after a cursor, oldest change first, and the build of the read model that it is from. */
export type ChangedAgents = {
  generation: string;
  entries: MatchEntry[];
  /** Whether there may be more. */
  isCut: boolean;
};

type Row = { generation: string } & { [Key in keyof MatchEntry]: MatchEntry[Key] | null };

/**
 * The agents that changed after a cursor, as they are now. One statement, so one moment: an agent that changes between two stretches
 * comes again in a later one. All changes of one event are committed at once, so none appears behind a cursor.
 */
export async function findChangedAgents(
  database: ReadModelDatabase,
  after: ChangeCursor,
  countMax: number,
): Promise<ChangedAgents> {
  const rows = await database.query<Row>({
    name: 'changed-agents',
    text: `SELECT p.generation, changed.* FROM projection_checkpoint p LEFT JOIN LATERAL (
        SELECT c.agent_id AS "agentId", c.position AS "changedPosition", a.universe, a.routable, a.verified,
          a.org_name_key AS "orgNameKey", a.message_protocol AS "messageProtocol", a.settlement_rail AS "settlementRail",
          a.configuration->'capabilities' AS capabilities, s.trust_score AS "trustScore",
          s.transaction_count AS "transactionCount", s.match_base AS "matchBase"
        FROM agent_change c JOIN agent a USING (agent_id) JOIN agent_standing s USING (agent_id)
        WHERE (c.position, c.agent_id) > ($1::bigint, $2::text) ORDER BY c.position, c.agent_id LIMIT $3::int
      ) changed ON true`,
    values: [String(after.position), after.agentId, countMax],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the read model has no checkpoint');
  const entries = rows.filter((row): row is Row & MatchEntry => row.agentId !== null);
  return { generation: first.generation, entries, isCut: entries.length >= countMax };
}

/** The agents with these ids, each with the position of its last change, in no particular order, and the build that they are from; unknown ids are left out. */
export async function findAgentsWithChange(
  database: ReadModelDatabase,
  agentIds: readonly string[],
): Promise<{ build: string; agents: (AgentRecord & { changedPosition: bigint })[] }> {
  const rows = await database.query<AgentRecord & { changedPosition: bigint; generation: string }>({
    name: 'agents-with-change-by-id',
    text: `SELECT ${agentRecordColumns}, c.position AS "changedPosition", p.generation
      FROM projection_checkpoint p, agent a JOIN agent_standing s USING (agent_id) JOIN agent_change c USING (agent_id)
      WHERE a.agent_id = ANY ($1::text[])`,
    values: [agentIds],
  });
  return { build: rows[0]?.generation ?? '', agents: rows };
}
