import { getFallbackAgent, getShownAgents, listRegistry, matchAgents, previewMatch } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { isSeenFrom, publicView } from '../agent-view.ts';
import { findAgentsWithChange } from '../../projector/read-models/agent-change/queries.ts';
import { findRegistryPage } from '../../projector/read-models/agent-standing/registry-page.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** Many agents: the registry's pages, matches and their previews, and the agent to try instead of one that failed. */
export async function serveSearch({ rpc, queries, database }: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.searchesConcurrentMax };
  await rpc.serve(
    listRegistry,
    async ({ universe, limit, offset, minTrustScore }) => {
      const page = { universe: universeKey(universe), limit, offset, minTrustScore };
      const { agentIds, total } = await findRegistryPage(database, page);
      return { agents: (await queries.agentsInOrder(agentIds)).map(publicView), total };
    },
    options,
  );
  await rpc.serve(matchAgents, (question, { signal }) => queries.match(question, signal), options);
  await rpc.serve(
    getShownAgents,
    async ({ agentIds, universe }) => {
      const { build, agents } = await findAgentsWithChange(database, agentIds);
      const shown = agents.filter((agent) => isSeenFrom(agent, universe));
      return {
        build,
        agents: shown.map((agent) => ({ agent: publicView(agent), changedPosition: String(agent.changedPosition) })),
      };
    },
    options,
  );
  await rpc.serve(previewMatch, (question, { signal }) => queries.preview(question, signal), options);
  await rpc.serve(
    getFallbackAgent,
    async ({ agentId, universe }) => {
      const failed = await queries.agentById(agentId);
      if (failed === null || !isSeenFrom(failed, universe)) return { agentId: null };
      const [first, ...others] = failed.configuration.capabilities;
      if (first === undefined) return { agentId: null };
      // The heaviest, and of equally heavy ones the first named.
      const main = others.reduce((heaviest, other) => (other.weight > heaviest.weight ? other : heaviest), first);
      const { matches } = await queries.match({
        universe,
        requiredCapabilities: [main.name],
        settlementRail: null,
        orgName: null,
        messageProtocol: null,
        // The failed agent may be the best match of all.
        limit: 2,
        offset: 0,
      });
      return { agentId: matches.find((match) => match.agentId !== agentId)?.agentId ?? null };
    },
    options,
  );
}
