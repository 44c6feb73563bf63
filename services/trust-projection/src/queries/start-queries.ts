import type { Universe } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import type { WrappingKey } from '@agent-trust/personal-data';
import type { Logger } from '@agent-trust/service-kit';
import { type AgentRecord, findAgentWithPosition } from '../projector/read-models/agent-directory/queries.ts';
import { findPaymentsOfCall } from '../projector/read-models/org-payments/queries.ts';
import { findReviewPlaces, type ReviewPlace } from '../projector/read-models/ratings/queries.ts';
import { universeKey } from '../projector/read-models/universe-key.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import type { VisibleState } from '../shared/visible-state.ts';
import { profileFinder } from './agent-profile.ts';
import { isSeenFrom, publicView } from './agent-view.ts';
import { checkKeysOfPersonalData, personalTextOpener } from './personal-texts.ts';
import { createRegistryQueries, type QueryContext } from './registry-queries.ts';
import type { AskEmbeddings } from './resolve-capabilities.ts';
import { agentMethods, authenticationMethods } from './rpc/agent.ts';
import { exchangeMethods } from './rpc/exchange.ts';
import { orgDomainMethods } from './rpc/org-domain.ts';
import { organisationMethods } from './rpc/organisation.ts';
import { searchMethods } from './rpc/search.ts';
import { organisationRecordMethods } from './rpc/organisation-record.ts';
import { trustMethods } from './rpc/trust.ts';

const methodsOf = (context: QueryContext) => ({
  ...authenticationMethods(context),
  ...agentMethods(context),
  ...searchMethods(context),
  ...organisationMethods(context),
  ...orgDomainMethods(context),
  ...exchangeMethods(context),
  ...trustMethods(context),
  ...organisationRecordMethods(context),
});

/** Agents as the other parts look them up: null for one that is not seen from the universe. */
export type Queries = {
  findAgent: (agentId: string, universe: Universe) => Promise<AgentRecord | null>;
  /** With the log position that the agent's standing was computed up to. */
  findAgentWithPosition: (
    agentId: string,
    universe: Universe,
  ) => Promise<{ agent: ReturnType<typeof publicView>; position: bigint } | null>;
  /** A page of the reviews that an agent received, oldest first; null for an agent that is not seen from the universe. */
  findReviews: (
    agentId: string,
    universe: Universe,
    page: { limit: number; offset: number },
  ) => Promise<{ reviews: ReviewPlace[]; total: number } | null>;
  /** Positions of the payments, up to this one, that were asked for or made in a call. Throws DomainError `read_model_behind`. */
  findPaymentsOfCall: (transactionId: string, until: { upTo: bigint; call: CallContext }) => Promise<bigint[]>;
  methods: ReturnType<typeof methodsOf>;
  stop: () => Promise<void>;
};

/** Answers queries about the registry. Every instance does. */
export async function startQueries(parts: {
  log: EventLog;
  database: ReadModelDatabase;
  readModels: Pick<LogFollower, 'watcher' | 'reach'>;
  wrappingKey: WrappingKey;
  askEmbeddings: AskEmbeddings | undefined;
  visibleState: VisibleState;
  logger: Logger;
}): Promise<Queries> {
  const { log, database, readModels, wrappingKey, askEmbeddings, logger } = parts;
  await checkKeysOfPersonalData(database, wrappingKey);
  const onError = (err: unknown): void => logger.warn({ err }, 'a background part of a search failed');
  const queries = createRegistryQueries(database, onError, askEmbeddings, parts.visibleState);
  const stopFollowing = await queries.warmUp();
  const { watcher, reach } = readModels;
  const openPersonalText = personalTextOpener(database, wrappingKey);
  const findProfile = profileFinder(database, wrappingKey);
  const findAgent = async (agentId: string, universe: Universe): Promise<AgentRecord | null> => {
    const agent = await queries.agentById(agentId);
    return agent !== null && isSeenFrom(agent, universe) ? agent : null;
  };
  return {
    findAgent,
    findAgentWithPosition: async (agentId, universe) => {
      const found = await findAgentWithPosition(database, agentId);
      if (found === null || !isSeenFrom(found, universe)) return null;
      return { agent: publicView(found), position: found.position };
    },
    findReviews: async (agentId, universe, page) =>
      (await findAgent(agentId, universe)) &&
      findReviewPlaces(database, { agentId, universe: universeKey(universe), ...page }),
    findPaymentsOfCall: async (transactionId, { upTo, call }) => {
      await reach(String(upTo), call);
      return findPaymentsOfCall(database, transactionId);
    },
    methods: methodsOf({ queries, findAgent, findProfile, database, openPersonalText, watcher, log, reach }),
    stop: async () => stopFollowing(),
  };
}
