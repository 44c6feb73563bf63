import { limits } from '@agent-trust/contracts';
import { findAgentsWithChange } from '../../projector/read-models/agent-change/queries.ts';
import { findCapabilities } from '../../projector/read-models/capability-taxonomy/find-capabilities.ts';
import { findNamedPage } from '../../projector/read-models/agent-standing/named-page.ts';
import { findRegistryPage } from '../../projector/read-models/agent-standing/queries.ts';
import { policiesOf } from '../../projector/read-models/trust-policy/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import { isSeenFrom, publicView } from '../agent-view.ts';
import { findActivity } from '../find-activity.ts';
import { heldFor } from '../held-for.ts';
import { findAgentAt } from '../past/agent-at.ts';
import type { QueryContext } from '../registry-queries.ts';

/** Many agents: the registry's pages, matches and their previews, the meaning of names, and the agent to try when one failed. */
export function searchMethods({ queries, findAgent, database }: QueryContext) {
  const policyNamed = policiesOf(database);
  const activity = heldFor(limits.activityHeldSeconds * 1_000, (days: number) =>
    findActivity(database, days, new Date()),
  );
  return within(queryLimits.searchesConcurrentMax, {
    listRegistry: async ({ universe, agentIdPrefix, ...range }) => {
      const page = { ...range, universe: universeKey(universe) };
      const { agents, total } = await (agentIdPrefix === null
        ? findRegistryPage(database, page)
        : findNamedPage(database, { ...page, agentIdPrefix, countMax: limits.registryNamedMax }));
      return { agents: agents.map(publicView), total };
    },
    matchAgents: (question, { signal }) => queries.match(question, signal),
    previewMatch: (question, { signal }) => queries.preview(question, signal),
    getActivity: ({ days }) => activity(days),
    listCapabilities: async (asked) => {
      const [{ capabilities, ...tree }, index] = await Promise.all([
        findCapabilities(database, asked),
        queries.matchIndex(),
      ]);
      const counts = index.holderCounts(
        universeKey(asked.universe),
        capabilities.map(({ name }) => name),
      );
      return {
        ...tree,
        capabilities: capabilities.map((capability, at) => ({ ...capability, agentCount: counts[at] ?? 0 })),
      };
    },
    resolveCapabilities: async ({ universe, names }, { signal }) => ({
      resolutions: await queries.resolveCapabilities(universe, names, { signal }),
    }),
    getShownAgents: async ({ agentIds, universe, positions }) => {
      const { build, agents } = await findAgentsWithChange(database, agentIds);
      const rankedAt = new Map(positions?.map((position, at) => [agentIds[at], BigInt(position)]));
      const asRanked = await Promise.all(
        agents.map(async (agent) => {
          const position = rankedAt.get(agent.agentId);
          if (position === undefined || agent.changedPosition <= position) return agent;
          // It has changed since it was ranked.
          const then = await findAgentAt(database, policyNamed, agent.agentId, position);
          return then && { ...then, changedPosition: position };
        }),
      );
      const shown = asRanked.filter((agent) => agent !== null).filter((agent) => isSeenFrom(agent, universe));
      return {
        build,
        agents: shown.map((agent) => ({ agent: publicView(agent), changedPosition: String(agent.changedPosition) })),
      };
    },
    getFallbackAgent: async ({ agentId, universe }) => {
      const failed = await findAgent(agentId, universe);
      const [first, ...others] = failed?.configuration.capabilities ?? [];
      if (first === undefined) return { agentId: null };
      // The heaviest, and of equally heavy ones the first named.
      const main = others.reduce((heaviest, other) => (other.weight > heaviest.weight ? other : heaviest), first);
      const noFilters = { settlementRail: null, orgName: null, messageProtocol: null, live: false };
      // Two, because the failed agent may be the best match of all.
      const page = { limit: 2, offset: 0 };
      // A name that an agent has is no close name: it takes no turn.
      const asked = { universe, requiredCapabilities: [main.name], ...noFilters, ...page, client: '' };
      const { matches } = await queries.match(asked);
      return { agentId: matches.find((match) => match.agentId !== agentId)?.agentId ?? null };
    },
  });
}
