import { getOrgAgentProfile, limits, listOrgAgents, listOrgPayments } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { isSeenFrom, ownerView } from '../agent-view.ts';
import {
  countAgentsOfOrganisation,
  findAgentsOfOrganisation,
} from '../../projector/read-models/agent-directory/agents-of-organisation.ts';
import { findOrgPayments } from '../../projector/read-models/org-payments/queries.ts';
import { findRatings } from '../../projector/read-models/ratings/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** What an organisation sees of its own: its agents with their endpoints, and what they were paid. */
export async function serveOrganisations({
  rpc,
  queries,
  database,
  openContactInfo,
  reach,
}: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.searchesConcurrentMax };
  await rpc.serve(
    listOrgAgents,
    async ({ orgId, universe, after, offset, limit }) => {
      const owned = { orgId, universe: universeKey(universe) };
      const agents = await findAgentsOfOrganisation(database, { ...owned, after, offset, limit });
      const total = after === null ? await countAgentsOfOrganisation(database, owned) : null;
      return { agents: agents.map(ownerView), total };
    },
    options,
  );
  await rpc.serve(
    getOrgAgentProfile,
    async ({ orgId, agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await queries.agentById(agentId);
      if (agent === null || agent.orgId !== orgId || !isSeenFrom(agent, universe)) return { agent: null, ratings: [] };
      const ratings = await findRatings(database, {
        agentId,
        universe: universeKey(universe),
        countMax: limits.ratingsShownMax,
      });
      return { agent: { ...ownerView(agent), contactInfo: await openContactInfo(agent) }, ratings };
    },
    options,
  );
  await rpc.serve(
    listOrgPayments,
    ({ orgId, universe, limit, offset }) =>
      findOrgPayments(database, { orgId, universe: universeKey(universe), limit, offset }),
    options,
  );
}
