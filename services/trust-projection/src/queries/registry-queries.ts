import type { MatchedAgent, Universe } from '@agent-trust/contracts';
import { queryLimits } from '../limits.ts';
import { type AgentOfKey, findAgentsByKeyHash } from '../read-models/agent-credential/queries.ts';
import { type AgentRecord, findAgents } from '../read-models/agent-directory/queries.ts';
import { findSigners, type SignerRecord } from '../read-models/agent-directory/signature-keys.ts';
import { findOrganisationsByKeyHash, type OrganisationOfKey } from '../read-models/organisation-directory/queries.ts';
import { universeKey } from '../read-models/universe-key.ts';
import { publicView } from './agent-view.ts';
import type { ReadModelDatabase } from './database.ts';
import { findMatches } from './find-matches.ts';
import { coalescedLookup, type Lookup } from './lookup.ts';
import type { MatchFilters } from './match-filters.ts';
import { matchReasons } from './match-reasons.ts';
import { resolveCapabilities } from './resolve-capabilities.ts';

/** What the methods of this service share: the hot lookups, coalesced, and the database for the rest. */
export type RegistryQueries = {
  database: ReadModelDatabase;
  agentById: Lookup<AgentRecord>;
  agentByKeyHash: Lookup<AgentOfKey>;
  signerById: Lookup<SignerRecord>;
  organisationByKeyHash: Lookup<OrganisationOfKey>;
  /** Agents in the order of the ids; ids of no agent are left out. */
  agentsInOrder(agentIds: readonly string[]): Promise<AgentRecord[]>;
  match(
    question: MatchFilters & {
      universe: Universe;
      requiredCapabilities: readonly string[] | null;
      limit: number;
      offset: number;
    },
  ): Promise<MatchedAgent[]>;
};

const lookupLimits = {
  keysMax: queryLimits.lookupKeysMax,
  waitingMax: queryLimits.lookupsWaitingMax,
  roundTripsMax: queryLimits.lookupRoundTripsMax,
};

const lookupBy = <Key extends string, Row extends Record<Key, string>>(
  key: Key,
  find: (keys: string[]) => Promise<Row[]>,
): Lookup<Row> =>
  coalescedLookup(async (keys) => new Map((await find(keys)).map((row) => [row[key], row])), lookupLimits);

export const createRegistryQueries = (database: ReadModelDatabase): RegistryQueries => {
  const agentsInOrder = async (agentIds: readonly string[]): Promise<AgentRecord[]> => {
    if (agentIds.length === 0) return [];
    const found = new Map((await findAgents(database, agentIds)).map((agent) => [agent.agentId, agent]));
    return agentIds.flatMap((agentId) => found.get(agentId) ?? []);
  };
  return {
    database,
    agentById: lookupBy('agentId', (agentIds) => findAgents(database, agentIds)),
    agentByKeyHash: lookupBy('keyHash', (hashes) => findAgentsByKeyHash(database, hashes)),
    signerById: lookupBy('agentId', (agentIds) => findSigners(database, agentIds)),
    organisationByKeyHash: lookupBy('keyHash', (hashes) => findOrganisationsByKeyHash(database, hashes)),
    agentsInOrder,
    match: async ({ universe, requiredCapabilities, limit, offset, ...filters }) => {
      const wanted = requiredCapabilities === null || requiredCapabilities.length === 0 ? null : requiredCapabilities;
      const capabilities = wanted === null ? null : resolveCapabilities(wanted);
      const question = { universe: universeKey(universe), capabilities, filters, limit, offset };
      const ranked = await findMatches(database, question);
      const scores = new Map(ranked.map(({ agentId, matchScore }) => [agentId, matchScore]));
      const agents = await agentsInOrder(ranked.map(({ agentId }) => agentId));
      return agents.map((agent) => ({
        agent: publicView(agent),
        matchScore: scores.get(agent.agentId) ?? 0,
        matchReasons: matchReasons(capabilities ?? [], agent.configuration.capabilities),
      }));
    },
  };
};
