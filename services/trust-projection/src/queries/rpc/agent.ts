import { getAgent, getAgentProfile, getCallTarget, getOwnerAgent, limits } from '@agent-trust/contracts';
import { findRatings } from '../../projector/read-models/ratings/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { serveWithin } from '../../shared/serve-within.ts';
import { callTargetView, ownerView, publicView } from '../agent-view.ts';
import type { QueryContext } from './context.ts';

/** One agent, in the view that the caller may have. */
export async function serveAgents({ rpc, findAgent, database, openContactInfo, reach }: QueryContext): Promise<void> {
  const serve = serveWithin(rpc, queryLimits.queriesConcurrentMax);
  await serve(getAgent, async ({ agentId, universe, atLeast }, call) => {
    await reach(atLeast, call);
    const agent = await findAgent(agentId, universe);
    return { agent: agent && publicView(agent) };
  });
  await serve(getAgentProfile, async ({ agentId, universe, atLeast }, call) => {
    await reach(atLeast, call);
    const agent = await findAgent(agentId, universe);
    if (agent === null) return { agent: null, ratings: [] };
    const seen = { agentId, universe: universeKey(universe), countMax: limits.ratingsShownMax };
    const ratings = await findRatings(database, seen);
    return { agent: { ...publicView(agent), contactInfo: await openContactInfo(agent) }, ratings };
  });
  await serve(getOwnerAgent, async ({ agentId, universe, atLeast }, call) => {
    await reach(atLeast, call);
    const agent = await findAgent(agentId, universe);
    return { agent: agent && ownerView(agent) };
  });
  await serve(getCallTarget, async ({ agentId, universe }) => {
    const agent = await findAgent(agentId, universe);
    return { target: agent && callTargetView(agent) };
  });
}
