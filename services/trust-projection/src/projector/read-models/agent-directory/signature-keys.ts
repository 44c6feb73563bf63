import type { ReadModelDatabase } from '../../../shared/database.ts';

/** What a signature of an agent is checked with. */
export type SignerRecord = {
  agentId: string;
  universe: string;
  orgId: string | null;
  publicKey: string | null;
  orgDomain: string | null;
  /** Agents of either universe that hold the same org_domain; 0 without one. Counted only where a directory must be asked for the key. */
  agentsOfDomain: number;
};

/** The agents with these ids and what their signatures are checked with; unknown ids are left out. */
export function findSigners(database: ReadModelDatabase, agentIds: readonly string[]): Promise<SignerRecord[]> {
  return database.query<SignerRecord>({
    name: 'signers-by-agent-id',
    text: `SELECT a.agent_id AS "agentId", a.universe, a.org_id AS "orgId", a.public_key AS "publicKey", a.org_domain AS "orgDomain",
        CASE WHEN a.public_key IS NULL AND a.org_domain IS NOT NULL
          THEN (SELECT count(*)::int FROM agent o WHERE o.org_domain = a.org_domain) ELSE 0 END AS "agentsOfDomain"
      FROM agent a WHERE a.agent_id = ANY ($1::text[])`,
    values: [agentIds],
  });
}
