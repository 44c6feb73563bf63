import { getAgent, getAgentProfile, getCallTarget, getOwnerAgent, limits, type Universe } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { callTargetView, isSeenFrom, ownerView, publicView } from '../agent-view.ts';
import type { AgentRecord } from '../../projector/read-models/agent-directory/queries.ts';
import { findRatings } from '../../projector/read-models/ratings/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** One agent, in the view that the asker may have. */
export async function serveAgents({ rpc, queries, database, openContactInfo, reach }: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.queriesConcurrentMax };
  const agentSeenFrom = async (agentId: string, universe: Universe): Promise<AgentRecord | null> => {
    const agent = await queries.agentById(agentId);
    return agent !== null && isSeenFrom(agent, universe) ? agent : null;
  };
  await rpc.serve(
    getAgent,
    async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await agentSeenFrom(agentId, universe);
      return { agent: agent && publicView(agent) };
    },
    options,
  );
  await rpc.serve(
    getAgentProfile,
    async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await agentSeenFrom(agentId, universe);
      if (agent === null) return { agent: null, ratings: [] };
      const ratings = await findRatings(database, {
        agentId,
        universe: universeKey(universe),
        countMax: limits.ratingsShownMax,
      });
      return { agent: { ...publicView(agent), contactInfo: await openContactInfo(agent) }, ratings };
    },
    options,
  );
  await rpc.serve(
    getOwnerAgent,
    async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await agentSeenFrom(agentId, universe);
      return { agent: agent && ownerView(agent) };
    },
    options,
  );
  await rpc.serve(
    getCallTarget,
    async ({ agentId, universe }) => {
      const agent = await agentSeenFrom(agentId, universe);
      return { target: agent && callTargetView(agent) };
    },
    options,
  );
}
