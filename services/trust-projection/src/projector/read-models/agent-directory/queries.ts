import sql, { raw, type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { AgentStandingRow, EarnedCounts } from '../agent-standing/tables.ts';
import type { AgentRow, PastAgent } from './table.ts';

/** An agent with its standing: everything that any view of it shows. */
export type AgentRecord = Pick<AgentRow, 'agentId' | 'registeredAt'> &
  PastAgent &
  EarnedCounts &
  Pick<AgentStandingRow, 'trustPolicy' | 'trustScore' | 'confidence' | 'otherOrgTransactionCount'>;

/** The columns of `AgentRecord`, of `agent a` and `agent_standing s`. */
export const agentRecordColumns: Sql =
  raw(`a.agent_id, a.universe, a.org_id, a.org_name, a.org_domain, a.domain_proof, a.verified, a.contact_info, a.related_agent_id,
  a.configuration, a.is_suspended, a.is_retired, a.is_organisation_disabled, a.registered_at, s.trust_policy, s.trust_score, s.confidence, s.transaction_count, s.other_org_transaction_count, s.review_count, s.success_count,
  s.last_active, s.last_transaction_at, s.liveness`);

/**
 * The agents with these ids, in no particular order; unknown ids are left out. As a join, a plan made while there were few agents reads
 * all of them, and is kept while they become many; `OFFSET 0` makes each a search by its key.
 */
export function findAgents(database: ReadModelDatabase, agentIds: readonly string[]): Promise<AgentRecord[]> {
  return database.query<AgentRecord>(sql`
    SELECT ${agentRecordColumns}
    FROM unnest(${agentIds}::text[]) AS wanted(agent_id)
    CROSS JOIN LATERAL (SELECT * FROM agent WHERE agent_id = wanted.agent_id OFFSET 0) a
    CROSS JOIN LATERAL (SELECT * FROM agent_standing WHERE agent_id = wanted.agent_id OFFSET 0) s`);
}

/** An agent with the log position that its standing was computed up to: of one moment, since one statement reads both. */
export async function findAgentWithPosition(
  database: ReadModelDatabase,
  agentId: string,
): Promise<(AgentRecord & { position: bigint }) | null> {
  const [row] = await database.query<AgentRecord & { position: bigint }>(sql`
    SELECT ${agentRecordColumns}, c.position
    FROM agent a JOIN agent_standing s USING (agent_id) CROSS JOIN projection_checkpoint c WHERE a.agent_id = ${agentId}`);
  return row ?? null;
}

/**
 * A page of an organisation's agents in one universe, routable or not, agent_id ascending. The page begins at an id and not after a
 * number of agents, so that a listing has each agent once even if others are added or removed meanwhile. `total` is of the same moment;
 * null for a page that continues another.
 *
 * @param page `after`: the agent_id that the page begins behind, null at the beginning; `offset` are left out from there
 */
export async function findAgentsOfOrganisation(
  database: ReadModelDatabase,
  page: { orgId: string; universe: string; after: string | null; offset: number; limit: number },
): Promise<{ agents: AgentRecord[]; total: number | null }> {
  const { orgId, universe, after, offset, limit } = page;
  const owned = sql`org_id = ${orgId} AND universe = ${universe}`;
  // An agent_id has at least one character, so every one comes after the empty text.
  const rows = await database.query<{ total: number | null } & (AgentRecord | { agentId: null })>(sql`
    SELECT counted.total, ${agentRecordColumns}
    FROM (SELECT ${after === null ? sql`(SELECT count(*)::int FROM agent WHERE ${owned})` : sql`NULL::int`} AS total) counted
    LEFT JOIN (
      (SELECT * FROM agent WHERE ${owned} AND agent_id > ${after ?? ''}
        ORDER BY agent_id OFFSET ${offset}::int LIMIT ${limit}::int) a
      JOIN agent_standing s USING (agent_id)
    ) ON true
    ORDER BY a.agent_id`);
  return {
    agents: rows.filter((row): row is { total: number | null } & AgentRecord => row.agentId !== null),
    total: rows[0]?.total ?? null,
  };
}

/** What `blockOf` takes. */
export type Blocks = Pick<AgentRow, 'isSuspended' | 'isRetired' | 'isOrganisationDisabled'>;

/** What a signature of an agent is checked with. */
export type SignerRecord = Pick<
  AgentRow,
  'agentId' | 'universe' | 'orgId' | 'publicKey' | 'orgDomain' | 'domainProof' | keyof Blocks
> & {
  /** Agents of either universe that hold the same org_domain; 0 without one. Counted only if a directory has to be queried for the key. */
  agentsOfDomain: number;
};

/** The signers with these agent ids; unknown ids are left out. */
export function findSigners(database: ReadModelDatabase, agentIds: readonly string[]): Promise<SignerRecord[]> {
  return database.query<SignerRecord>(sql`
    SELECT a.agent_id, a.universe, a.org_id, a.public_key, a.org_domain, a.domain_proof,
      a.is_suspended, a.is_retired, a.is_organisation_disabled,
      CASE WHEN a.public_key IS NULL AND a.org_domain IS NOT NULL
        THEN (SELECT count(*)::int FROM agent o WHERE o.org_domain = a.org_domain) ELSE 0 END AS agents_of_domain
    FROM agent a WHERE a.agent_id = ANY (${agentIds}::text[])`);
}
