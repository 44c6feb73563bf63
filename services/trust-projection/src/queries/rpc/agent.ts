import { blockOf } from '@agent-trust/domain';
import { universeOfKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { pick } from '../../shared/pick.ts';
import { within } from '../../shared/within.ts';
import { callTargetView, ownerView, publicView } from '../agent-view.ts';
import type { QueryContext } from '../registry-queries.ts';

/** One agent, in the view that the caller may have. */
export function agentMethods({ findAgent, findProfile, reach }: QueryContext) {
  return within(queryLimits.queriesConcurrentMax, {
    getAgent: async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const agent = await findAgent(agentId, universe);
      return { agent: agent && publicView(agent) };
    },
    getAgentProfile: async ({ agentId, universe, atLeast }, call) => {
      await reach(atLeast, call);
      const profile = await findProfile(agentId, universe);
      if (profile === null) return { agent: null, ratings: [] };
      const { agent, contactInfo, ratings } = profile;
      return { agent: { ...publicView(agent), contactInfo }, ratings };
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

/** Whose a key is, by its hash, and what an agent's signatures are checked with. */
export function authenticationMethods({ queries, reach }: QueryContext) {
  return within(queryLimits.queriesConcurrentMax, {
    authenticateAgentKey: async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.agentByKeyHash(keyHash);
      return {
        agent: found && {
          ...pick(found, 'agentId', 'orgId'),
          universe: universeOfKey(found.universe),
          block: blockOf(found),
        },
      };
    },
    authenticateOrgKey: async ({ keyHash, withNamedKeys, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.organisationByKeyHash(keyHash);
      if (found === null || (found.namedKey !== null && !withNamedKeys)) return { organisation: null };
      const { orgId, orgName, isDisabled, namedKey: key } = found;
      const namedKey = key && { ...key, expiresAt: key.expiresAt.toISOString() };
      return { organisation: { orgId, orgName, universe: universeOfKey(found.universe), isDisabled, namedKey } };
    },
    authenticateOperatorKey: async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.operatorKeyByHash(keyHash);
      if (found === null) return { operatorKey: null };
      return {
        operatorKey: { ...pick(found, 'operatorKeyId', 'name', 'role'), expiresAt: found.expiresAt.toISOString() },
      };
    },
    findSignatureKey: async ({ agentId, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.signerById(agentId);
      if (found === null) return { signer: null };
      const { universe, orgId, publicKey, orgDomain, domainProof, agentsOfDomain } = found;
      const identity = { agentId, universe: universeOfKey(universe), orgId, block: blockOf(found) };
      return { signer: { identity, publicKey, orgDomain, domainVerified: domainProof !== null, agentsOfDomain } };
    },
  });
}
