import { limits } from '@agent-trust/contracts';
import { findRatings } from '../../projector/read-models/ratings/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import { callTargetView, ownerView, publicView } from '../agent-view.ts';
import type { QueryContext } from './context.ts';

/** One agent, in the view that the caller may have. */
export function agentMethods({ findAgent, database, openContactInfo, reach }: QueryContext) {
  return within(queryLimits.queriesConcurrentMax, {
    getAgent: async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await findAgent(agentId, universe);
      return { agent: agent && publicView(agent) };
    },
    getAgentProfile: async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await findAgent(agentId, universe);
      if (agent === null) return { agent: null, ratings: [] };
      const seen = { agentId, universe: universeKey(universe), countMax: limits.ratingsShownMax };
      const ratings = await findRatings(database, seen);
      return { agent: { ...publicView(agent), contactInfo: await openContactInfo(agent) }, ratings };
    },
    getOwnerAgent: async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await findAgent(agentId, universe);
      return { agent: agent && ownerView(agent) };
    },
    getCallTarget: async ({ agentId, universe }) => {
      const agent = await findAgent(agentId, universe);
      return { target: agent && callTargetView(agent) };
    },
  });
}
