import { matchScoreSteps, matchWeights } from '../read-models/agent-standing/match-base.ts';
import type { ReadModelDatabase } from './database.ts';
import { type MatchFilters, matchFilterSql } from './match-filters.ts';
import type { ResolvedCapability } from './resolve-capabilities.ts';

/** `matchScore` is 0–1 with four decimals. */
export type RankedAgent = { agentId: string; matchScore: number };

const capabilityWeightMax = 3;
const order = '"matchScore" DESC, s.trust_score DESC, s.transaction_count DESC, s.agent_id';

/**
 * The best matches of a universe: match_score descending, then trust_score descending, transaction_count descending, agent_id
 * ascending. Only routable agents; an agent passes the capability filter when it has at least one of the capabilities.
 *
 * With capabilities their index gives the candidates; an organisation's name gives its agents; else the index by what agents
 * bring to every question is walked from its best end until enough of them pass the filters.
 */
export const findMatches = async (
  database: ReadModelDatabase,
  question: {
    universe: string;
    capabilities: readonly ResolvedCapability[] | null;
    filters: MatchFilters;
    limit: number;
    offset: number;
  },
): Promise<RankedAgent[]> => {
  const ranked =
    question.capabilities === null
      ? await rankByBase(database, question)
      : await rankByCapability(database, { ...question, capabilities: question.capabilities });
  return ranked.map(({ agentId, matchScore }) => ({ agentId, matchScore: matchScore / matchScoreSteps }));
};

/** Scores are ten-thousandths here: integers compare and round the same everywhere. */
type Ranked = { agentId: string; matchScore: number };

const rankByCapability = (
  database: ReadModelDatabase,
  question: {
    universe: string;
    capabilities: readonly ResolvedCapability[];
    filters: MatchFilters;
    limit: number;
    offset: number;
  },
): Promise<Ranked[]> => {
  const { capabilities } = question;
  const required = [...new Set(capabilities.map((capability) => capability.required))];
  const filters = matchFilterSql(question.filters, 8);
  return database.query<Ranked>({
    name: `match-capability-${filters.name}`,
    text: `WITH wanted AS (
        SELECT * FROM unnest($2::text[], $3::int[], $4::double precision[]) AS w(name, required, similarity)
      ), met AS (
        SELECT c.agent_id, w.required, max(w.similarity * c.weight) AS strength
        FROM wanted w JOIN agent_capability c ON c.universe = $1 AND c.name = w.name GROUP BY c.agent_id, w.required
      ), candidate AS (
        SELECT agent_id, sum(strength) / (${capabilityWeightMax} * $5::double precision) AS capability FROM met GROUP BY agent_id
      )
      SELECT s.agent_id AS "agentId",
        floor((${matchWeights.capability} * candidate.capability + s.match_base) * ${matchScoreSteps} + 0.5)::int AS "matchScore"
      FROM candidate JOIN agent_standing s USING (agent_id)${filters.conditions.length > 0 ? ' JOIN agent a USING (agent_id)' : ''}
      WHERE ${['s.routable', 's.universe = $1', ...filters.conditions].join(' AND ')}
      ORDER BY ${order} LIMIT $6 OFFSET $7`,
    values: [
      question.universe,
      capabilities.map(({ canonical }) => canonical),
      capabilities.map((capability) => required.indexOf(capability.required)),
      capabilities.map(({ similarity }) => similarity),
      required.length,
      question.limit,
      question.offset,
      ...filters.values,
    ],
  });
};

const rankByBase = (
  database: ReadModelDatabase,
  question: { universe: string; filters: MatchFilters; limit: number; offset: number },
): Promise<Ranked[]> => {
  const filters = matchFilterSql(question.filters, 4);
  return database.query<Ranked>({
    name: `match-base-${filters.name}`,
    text: `SELECT s.agent_id AS "agentId", s.match_base_rounded AS "matchScore"
      FROM agent_standing s JOIN agent a USING (agent_id)
      WHERE ${['s.universe = $1', 's.routable', 'a.universe = $1', ...filters.conditions].join(' AND ')}
      ORDER BY s.match_base_rounded DESC, s.trust_score DESC, s.transaction_count DESC, s.agent_id LIMIT $2 OFFSET $3`,
    values: [question.universe, question.limit, question.offset, ...filters.values],
  });
};
