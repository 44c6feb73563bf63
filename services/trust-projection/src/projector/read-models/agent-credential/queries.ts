import type { ReadModelDatabase } from '../../../shared/database.ts';

export type AgentOfKey = { keyHash: string; agentId: string; universe: string; orgId: string | null };

/** The agents behind bearer keys' hashes; hashes of no agent are left out. */
export function findAgentsByKeyHash(database: ReadModelDatabase, keyHashes: readonly string[]): Promise<AgentOfKey[]> {
  return database.query<AgentOfKey>({
    name: 'agents-by-key-hash',
    text: `SELECT c.key_hash AS "keyHash", a.agent_id AS "agentId", a.universe, a.org_id AS "orgId"
      FROM agent_credential c JOIN agent a USING (agent_id) WHERE c.key_hash = ANY ($1::text[])`,
    values: [keyHashes],
  });
}
