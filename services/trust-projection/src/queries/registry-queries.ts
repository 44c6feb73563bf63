import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type matchAgents, production, type Universe } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import { coalescedLookup, type Lookup } from '@agent-trust/limits';
import type { z } from 'zod';
import { findAgentsByKeyHash } from '../projector/read-models/agent-credential/queries.ts';
import { type AgentRecord, findAgents, findSigners } from '../projector/read-models/agent-directory/queries.ts';
import { findOperatorKeysByHash } from '../projector/read-models/operator-keys/queries.ts';
import { findOrganisationsByKeyHash } from '../projector/read-models/organisation-directory/queries.ts';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { sharedTurns, type TurnLimits } from '../shared/shared-turns.ts';
import { unknownState, type VisibleState } from '../shared/visible-state.ts';
import type { AgentProfile } from './agent-profile.ts';
import type { OpenPersonalText } from './personal-texts.ts';
import { freshMatchIndex } from './match/fresh-match-index.ts';
import { findMatches } from './match/match-index.ts';
import { type Preview, previewMatch, type PreviewQuestion } from './match/preview-match.ts';
import type { MatchFilters } from './match/traits.ts';
import { closeNames } from '../projector/read-models/capability-taxonomy/close-names.ts';
import {
  type AskEmbeddings,
  type CapabilityResolver,
  capabilityResolver,
  resolveCapabilities,
} from './resolve-capabilities.ts';

const lookupBy = <Key extends string, Row extends Record<Key, string>>(
  key: Key,
  find: (keys: string[]) => Promise<Row[]>,
): Lookup<Row> =>
  coalescedLookup(async (keys) => new Map((await find(keys)).map((row) => [row[key], row])), queryLimits.lookups);

/** A search by match; a null filter is none. */
export type MatchSearch = MatchFilters & {
  universe: Universe;
  requiredCapabilities: readonly string[] | null;
  limit: number;
  offset: number;
  /** Who asks: clients take turns at close names. */
  client: string;
};

/** What the methods are served with. */
export type QueryContext = Pick<LogFollower, 'watcher' | 'reach'> & {
  queries: RegistryQueries;
  /** Null for an agent that is not seen from the universe. */
  findAgent: (agentId: string, universe: Universe) => Promise<AgentRecord | null>;
  database: ReadModelDatabase;
  /** Null for an agent that is not seen from the universe. */
  findProfile: (agentId: string, universe: Universe) => Promise<AgentProfile | null>;
  openPersonalText: OpenPersonalText;
  log: EventLog;
};

export type RegistryQueries = ReturnType<typeof createRegistryQueries>;

/**
 * What the methods of this service share: the frequent lookups, coalesced, and searches.
 *
 * @param onError receives failures that no query waits for
 * @param askEmbeddings ranks names that the taxonomy does not have by meaning; without it they are ranked by their letters
 * @param visibleState while it is the same, match and the meaning of names are answered from memory
 */
export function createRegistryQueries(
  database: ReadModelDatabase,
  onError: (error: unknown) => void = () => undefined,
  askEmbeddings?: AskEmbeddings,
  visibleState: VisibleState = unknownState,
) {
  const matchIndex = freshMatchIndex(database, { onError, visibleState });
  /** Agents in the order of the ids; unknown ids are left out. */
  const agentsInOrder = async (agentIds: readonly string[]): Promise<AgentRecord[]> => {
    if (agentIds.length === 0) return [];
    const found = new Map((await findAgents(database, agentIds)).map((agent) => [agent.agentId, agent]));
    return agentIds.flatMap((agentId) => found.get(agentId) ?? []);
  };
  const rankCandidates = closeNames(database);
  const resolverOf = (turns: TurnLimits): CapabilityResolver =>
    capabilityResolver(database, turns, askEmbeddings, visibleState, rankCandidates);
  const resolver = resolverOf(queryLimits.closeNamesOfSearches);
  const agentById = lookupBy('agentId', (agentIds) => findAgents(database, agentIds));
  const previewTurn = sharedTurns<Preview>(queryLimits.previews);
  const previewParts = { index: matchIndex, agentsInOrder, agentById, onError };
  return {
    agentById,
    agentByKeyHash: lookupBy('keyHash', (hashes) => findAgentsByKeyHash(database, hashes)),
    signerById: lookupBy('agentId', (agentIds) => findSigners(database, agentIds)),
    organisationByKeyHash: lookupBy('keyHash', (hashes) => findOrganisationsByKeyHash(database, hashes)),
    operatorKeyByHash: lookupBy('keyHash', (hashes) => findOperatorKeysByHash(database, hashes)),
    /** For registrations and updates: searches cannot keep it waiting. */
    resolveCapabilities: resolverOf(queryLimits.closeNamesOfWrites),
    agentsInOrder,
    /** All agents as match has them, as they are now. */
    matchIndex: matchIndex.fresh,
    /** Reads what match keeps in memory and follows its changes, so that no search waits for it. Returns how to stop. */
    warmUp: async (): Promise<() => void> => {
      await matchIndex.fresh();
      return matchIndex.follow(queryLimits.matchFollowMs);
    },
    preview: (question: PreviewQuestion, signal?: AbortSignal): Promise<Preview> => {
      const by = { client: question.orgId, signal };
      const resolve = (required: readonly string[]) => resolveCapabilities(resolver, production, required, by);
      const make = async (): Promise<Preview> => {
        await setImmediate();
        return previewMatch({ ...previewParts, resolve }, question);
      };
      // No two share one: each is another draft's.
      return previewTurn(randomUUID(), make, signal);
    },
    match: async (search: MatchSearch, signal?: AbortSignal): Promise<z.output<typeof matchAgents.output>> => {
      const { universe, requiredCapabilities, limit, offset, client, ...filters } = search;
      const wanted = requiredCapabilities === null || requiredCapabilities.length === 0 ? null : requiredCapabilities;
      const [capabilities, index] = await Promise.all([
        wanted === null ? null : resolveCapabilities(resolver, universe, wanted, { client, signal }),
        matchIndex.fresh(),
      ]);
      const question = { universe: universeKey(universe), capabilities, filters };
      return findMatches(index, question, { limit, offset });
    },
  };
}
