import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type matchAgents, production, type Universe } from '@agent-trust/contracts';
import type { z } from 'zod';
import { queryLimits } from '../shared/limits.ts';
import { type AgentOfKey, findAgentsByKeyHash } from '../projector/read-models/agent-credential/queries.ts';
import {
  type AgentRecord,
  findAgents,
  findSigners,
  type SignerRecord,
} from '../projector/read-models/agent-directory/queries.ts';
import {
  findOrganisationsByKeyHash,
  type OrganisationOfKey,
} from '../projector/read-models/organisation-directory/queries.ts';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { coalescedLookup, type Lookup } from './lookup.ts';
import type { MatchFilters } from './match/traits.ts';
import { findMatches } from './match/match-index.ts';
import { freshMatchIndex } from './match/fresh-match-index.ts';
import { type Preview, previewMatch, type PreviewQuestion } from './match/preview-match.ts';
import {
  type AskEmbeddings,
  capabilityResolver,
  type CapabilityResolver,
  resolveCapabilities,
} from './resolve-capabilities.ts';
import { sharedTurns } from '../shared/shared-turns.ts';

/** What the methods of this service share: the hot lookups, coalesced, and the database for the rest. */
export type RegistryQueries = {
  database: ReadModelDatabase;
  agentById: Lookup<AgentRecord>;
  agentByKeyHash: Lookup<AgentOfKey>;
  signerById: Lookup<SignerRecord>;
  organisationByKeyHash: Lookup<OrganisationOfKey>;
  /** For registrations and updates: searches cannot keep it waiting. */
  resolveCapabilities: CapabilityResolver;
  /** Agents in the order of the ids; ids of no agent are left out. */
  agentsInOrder(agentIds: readonly string[]): Promise<AgentRecord[]>;
  /** Reads what match keeps in memory and follows its changes, so that no question has to wait for it. Answers how to stop. */
  warmUp(): Promise<() => void>;
  match(
    question: MatchFilters & {
      universe: Universe;
      requiredCapabilities: readonly string[] | null;
      limit: number;
      offset: number;
    },
    signal?: AbortSignal,
  ): Promise<z.output<typeof matchAgents.output>>;
  preview(question: PreviewQuestion, signal?: AbortSignal): Promise<Preview>;
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

/**
 * @param onError hears of failures that no question waits for
 * @param askEmbeddings an embedding model's word on names that the taxonomy does not have; without it they go by their letters
 */
export function createRegistryQueries(
  database: ReadModelDatabase,
  onError: (error: unknown) => void = () => undefined,
  askEmbeddings?: AskEmbeddings,
): RegistryQueries {
  const matchIndex = freshMatchIndex(database, { onError });
  const agentsInOrder = async (agentIds: readonly string[]): Promise<AgentRecord[]> => {
    if (agentIds.length === 0) return [];
    const found = new Map((await findAgents(database, agentIds)).map((agent) => [agent.agentId, agent]));
    return agentIds.flatMap((agentId) => found.get(agentId) ?? []);
  };
  const resolver = capabilityResolver(database, queryLimits.closeNamesOfSearches, askEmbeddings);
  const agentById = lookupBy('agentId', (agentIds) => findAgents(database, agentIds));
  const previewTurn = sharedTurns<Preview>(queryLimits.previews);
  const previewParts = {
    index: matchIndex,
    agentsInOrder,
    agentById,
    onError,
  };
  return {
    database,
    agentById,
    agentByKeyHash: lookupBy('keyHash', (hashes) => findAgentsByKeyHash(database, hashes)),
    signerById: lookupBy('agentId', (agentIds) => findSigners(database, agentIds)),
    organisationByKeyHash: lookupBy('keyHash', (hashes) => findOrganisationsByKeyHash(database, hashes)),
    resolveCapabilities: capabilityResolver(database, queryLimits.closeNamesOfWrites, askEmbeddings),
    agentsInOrder,
    warmUp: async () => {
      await matchIndex.fresh();
      return matchIndex.follow(queryLimits.matchFollowMs);
    },
    preview: (question, signal) => {
      const resolve = (required: readonly string[]) => resolveCapabilities(resolver, production, required, signal);
      const make = async (): Promise<Preview> => {
        await setImmediate();
        return previewMatch({ ...previewParts, resolve }, question);
      };
      // No two share one: each is another draft's.
      return previewTurn(randomUUID(), make, signal);
    },
    match: async ({ universe, requiredCapabilities, limit, offset, ...filters }, signal) => {
      const wanted = requiredCapabilities === null || requiredCapabilities.length === 0 ? null : requiredCapabilities;
      const [capabilities, index] = await Promise.all([
        wanted === null ? null : resolveCapabilities(resolver, universe, wanted, signal),
        matchIndex.fresh(),
      ]);
      const question = { universe: universeKey(universe), capabilities, filters };
      return findMatches(index, question, { limit, offset });
    },
  };
}
