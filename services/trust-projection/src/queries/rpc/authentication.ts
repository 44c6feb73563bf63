import { universeOfKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import type { QueryContext } from './context.ts';

/** Whose a key is, by its hash, and what an agent's signatures are checked with. */
export function authenticationMethods({ queries, reach }: QueryContext) {
  return within(queryLimits.queriesConcurrentMax, {
    authenticateAgentKey: async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.agentByKeyHash(keyHash);
      return {
        agent: found && { agentId: found.agentId, universe: universeOfKey(found.universe), orgId: found.orgId },
      };
    },
    authenticateOrgKey: async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.organisationByKeyHash(keyHash);
      if (found === null) return { organisation: null };
      const { orgId, orgName, universe } = found;
      return { organisation: { orgId, orgName, universe: universeOfKey(universe) } };
    },
    findSignatureKey: async ({ agentId, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.signerById(agentId);
      if (found === null) return { signer: null };
      const { universe, orgId, publicKey, orgDomain, agentsOfDomain } = found;
      const identity = { agentId, universe: universeOfKey(universe), orgId };
      return { signer: { identity, publicKey, orgDomain, agentsOfDomain } };
    },
  });
}
