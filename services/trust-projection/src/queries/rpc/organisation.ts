import { orgIdOfName } from '@agent-trust/domain';
import { findAgentsOfOrganisation } from '../../projector/read-models/agent-directory/queries.ts';
import { listedOperatorKeys } from '../../projector/read-models/operator-keys/queries.ts';
import { listedOrganisationKeys } from '../../projector/read-models/organisation-keys/queries.ts';
import {
  findOrgPayments,
  findSettlements,
  orgPaymentTotals,
} from '../../projector/read-models/org-payments/queries.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import { sha256Hex } from '../../shared/sha256-hex.ts';
import { ownerView } from '../agent-view.ts';
import type { QueryContext } from '../registry-queries.ts';

/** What an organisation sees of its own agents and payments, and what operators see of settlements and of their keys. */
export function organisationMethods(context: QueryContext) {
  const { findProfile, database, reach } = context;
  return within(queryLimits.searchesConcurrentMax, {
    listOrgAgents: async ({ orgId, universe, after, offset, limit }) => {
      const owned = { orgId, universe: universeKey(universe) };
      const { agents, total } = await findAgentsOfOrganisation(database, { ...owned, after, offset, limit });
      return { agents: agents.map(ownerView), total };
    },
    getOrgAgentProfile: async ({ orgId, agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const profile = await findProfile(agentId, universe);
      if (profile?.agent.orgId !== orgId) return { agent: null, ratings: [] };
      const { agent, contactInfo, ratings } = profile;
      return { agent: { ...ownerView(agent), contactInfo }, ratings };
    },
    listOrganisationKeys: async ({ universe, ...asked }) => ({
      keys: await listedOrganisationKeys(database, { ...asked, universe: universeKey(universe) }),
    }),
    listOperatorKeys: async ({ limit }) => ({ keys: await listedOperatorKeys(database, limit) }),
    listOrgPayments: ({ universe, ...page }) => findOrgPayments(database, { ...page, universe: universeKey(universe) }),
    getOrgPaymentTotals: async ({ orgId, universe }) => ({
      totals: await orgPaymentTotals(database, { orgId, universe: universeKey(universe) }),
    }),
    // An organisation's id comes from its name, so the name as it was registered need not be looked up.
    listSettlements: ({ orgName, ...page }) =>
      findSettlements(database, { ...page, orgId: orgName === null ? null : orgIdOfName(orgName, sha256Hex) }),
  });
}
