import { limits } from '@agent-trust/contracts';
import sql, { type Sql } from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import { agentRecordColumns } from '../agent-directory/queries.ts';
import { type RegistryPage, type RegistryRow, registryPageOf } from './queries.ts';

export type NamedPage = {
  universe: string;
  limit: number;
  offset: number;
  minTrustScore: number;
  /** At least one character: what the ids begin with, whatever the case of its letters A to Z. */
  agentIdPrefix: string;
  /** Agents that are listed at most, on all pages. */
  countMax: number;
};

/** Behind a prefix it follows every id that begins with that: an id has at most as many characters. */
const beyondAnyId = '\u{10ffff}'.repeat(limits.agentIdCharsMax);

/**
 * The statement of `findNamedPage`. It goes down from score to score, with one search of the index at each, until it has `countMax` agents:
 * what it reads does not grow with the registry.
 */
export function namedPageStatement(page: NamedPage): Sql {
  const { universe, limit, offset, minTrustScore, agentIdPrefix, countMax } = page;
  // As the index has ids: in bytes, with the capitals of ASCII made small. A range and no pattern, so no character stands for others.
  const from = sql`lower(${agentIdPrefix}::text COLLATE "C")`;
  const to = sql`lower(${agentIdPrefix + beyondAnyId}::text COLLATE "C")`;
  return sql`
    WITH RECURSIVE step (trust_score, agent_ids, listed) AS (
      SELECT 101, '{}'::text[] COLLATE "C", 0
      UNION ALL
      SELECT step.trust_score - 1, found.agent_ids, step.listed + cardinality(found.agent_ids)
      FROM step CROSS JOIN LATERAL (SELECT array(
        SELECT s.agent_id FROM agent_standing s
        WHERE s.universe = ${universe} AND s.routable AND s.trust_score = step.trust_score - 1
          AND lower(s.agent_id) >= ${from} AND lower(s.agent_id) < ${to}
        ORDER BY lower(s.agent_id), s.agent_id LIMIT ${countMax}::int - step.listed) AS agent_ids) found
      WHERE step.trust_score > ${minTrustScore}::int AND step.listed < ${countMax}::int
    ), wanted AS (
      SELECT step.trust_score, named.agent_id FROM step, unnest(step.agent_ids) AS named(agent_id)
      ORDER BY step.trust_score DESC, named.agent_id OFFSET ${offset}::int LIMIT ${limit}::int
    )
    SELECT counted.total, ${agentRecordColumns}
    FROM (SELECT max(listed) AS total FROM step) counted LEFT JOIN (
      wanted
      CROSS JOIN LATERAL (SELECT * FROM agent WHERE agent_id = wanted.agent_id OFFSET 0) a
      CROSS JOIN LATERAL (SELECT * FROM agent_standing WHERE agent_id = wanted.agent_id OFFSET 0) s
    ) ON true
    ORDER BY wanted.trust_score DESC, wanted.agent_id`;
}

/**
 * A page of the routable agents of a universe whose id begins with a text: trust_score descending, then agent_id ascending; and how many are
 * listed on all pages. Of more than `countMax` the most trusted are listed: by their ids, whoever registers a thousand newcomers under the
 * name of somebody else would hide everybody behind them.
 */
export async function findNamedPage(database: ReadModelDatabase, page: NamedPage): Promise<RegistryPage> {
  return registryPageOf(await database.query<RegistryRow>(namedPageStatement(page)));
}
