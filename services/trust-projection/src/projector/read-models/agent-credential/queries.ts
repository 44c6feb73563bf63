import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { Blocks } from '../agent-directory/queries.ts';

export type AgentOfKey = { keyHash: string; agentId: string; universe: string; orgId: string | null } & Blocks;

/** The agents behind bearer keys' hashes; hashes of no agent are left out. */
export function findAgentsByKeyHash(database: ReadModelDatabase, keyHashes: readonly string[]): Promise<AgentOfKey[]> {
  return database.query<AgentOfKey>(sql`
    SELECT c.key_hash, a.agent_id, a.universe, a.org_id, a.is_suspended, a.is_retired, a.is_organisation_disabled
    FROM agent_credential c JOIN agent a USING (agent_id) WHERE c.key_hash = ANY (${keyHashes}::text[])`);
}
