import type { ReadModelDatabase } from '../shared/database.ts';
import { type AgentRecord, agentRecordColumns } from '../projector/read-models/agent-directory/queries.ts';

/** An agent with the log position that its standing was computed up to: of one moment, since one statement reads both. */
export async function findAgentWithPosition(
  database: ReadModelDatabase,
  agentId: string,
): Promise<{ agent: AgentRecord; position: bigint } | null> {
  const [row] = await database.query<AgentRecord & { position: bigint }>({
    name: 'agent-with-position',
    text: `SELECT ${agentRecordColumns}, c.position
      FROM agent a JOIN agent_standing s USING (agent_id) CROSS JOIN projection_checkpoint c WHERE a.agent_id = $1`,
    values: [agentId],
  });
  return row === undefined ? null : { agent: row, position: row.position };
}
