import { limits, type RatingRecord, type SealedText, type Universe } from '@agent-trust/contracts';
import { coalescedLookup } from '@agent-trust/limits';
import { openText, type SealedAs, unwrapKey, type WrappingKey } from '@agent-trust/personal-data';
import sql, { raw } from 'sql-template-tag';
import { agentRecordColumns, type AgentRecord } from '../projector/read-models/agent-directory/queries.ts';
import { newestRatings, type RatingRow, sealedRating } from '../projector/read-models/ratings/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import { isSeenFrom } from './agent-view.ts';
import { openRatings, type OpenPersonalText } from './personal-texts.ts';

/** An agent with its contact, null where it says nothing or it was erased, and its newest ratings as its own universe sees them. */
export type AgentProfile = { agent: AgentRecord; contactInfo: string | null; ratings: RatingRecord[] };

type Row = AgentRecord & { keyId: string | null; wrapped: Buffer | null; ratings: RatingRow<string>[] };

/**
 * Finds profiles, many with one statement, so that all of a profile is of one moment. Null for an agent that is not seen from the universe.
 * Contacts and answers are opened with the keys of that moment, and nothing is cached: once a key is destroyed, no instance shows them.
 */
export function profileFinder(
  database: ReadModelDatabase,
  wrappingKey: WrappingKey,
): (agentId: string, universe: Universe) => Promise<AgentProfile | null> {
  const rowById = coalescedLookup<Row>(
    async (agentIds) => new Map((await findProfileRows(database, agentIds)).map((row) => [row.agentId, row])),
    queryLimits.lookups,
  );
  return async (agentId, universe) => {
    const row = await rowById(agentId);
    if (row === null || !isSeenFrom(row, universe)) return null;
    const { keyId, wrapped, ratings, ...agent } = row;
    const open = openerOf(wrappingKey, { agentId, keyId, wrapped });
    return {
      agent,
      contactInfo: await open('contactInfo', agent.contactInfo),
      ratings: await openRatings(open, ratings.map(sealedRating)),
    };
  };
}

/** Opens the texts that the agent's present key sealed. */
const openerOf = (
  wrappingKey: WrappingKey,
  { agentId, keyId, wrapped }: Pick<Row, 'agentId' | 'keyId' | 'wrapped'>,
): OpenPersonalText => {
  let key: ReturnType<typeof unwrapKey> | undefined;
  return async (as: SealedAs, sealed: SealedText | null) => {
    if (sealed === null || keyId === null || wrapped === null || sealed.keyId !== keyId) return null;
    key ??= unwrapKey(wrappingKey, { agentId, keyId, wrapped });
    return openText(key, as, sealed);
  };
};

const findProfileRows = (database: ReadModelDatabase, agentIds: readonly string[]): Promise<Row[]> =>
  database.query<Row>(sql`
    SELECT ${agentRecordColumns}, k.key_id, k.wrapped_key AS wrapped, seen.ratings
    FROM agent a JOIN agent_standing s USING (agent_id)
    LEFT JOIN personal_data.agent_key k USING (agent_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('transactionId', r.transaction_id, 'callerAgentId', r.caller_agent_id,
        'callerOrgDomain', r.caller_org_domain, 'success', r.success, 'score', r.score, 'reviewedAt', r.reviewed_at,
        'answeredAt', r.answered_at, 'answer', r.answer)), '[]') AS ratings
      FROM (${newestRatings({ agentId: raw('a.agent_id'), universe: raw('a.universe'), countMax: limits.ratingsShownMax })}) r
    ) seen
    WHERE a.agent_id = ANY (${agentIds}::text[])`);
