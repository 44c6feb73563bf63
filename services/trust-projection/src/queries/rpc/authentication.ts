import { authenticateAgentKey, authenticateOrgKey, findSignatureKey } from '@agent-trust/contracts';
import { queryLimits } from '../../limits.ts';
import { universeOfKey } from '../../projector/read-models/universe-key.ts';
import type { QueryContext } from './context.ts';

/** Whose a key is, by its hash, and what an agent's signatures are checked with. */
export async function serveAuthentication({ rpc, queries, reach }: QueryContext): Promise<void> {
  const options = { concurrentMax: queryLimits.queriesConcurrentMax };
  await rpc.serve(
    authenticateAgentKey,
    async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.agentByKeyHash(keyHash);
      return {
        agent: found && { agentId: found.agentId, universe: universeOfKey(found.universe), orgId: found.orgId },
      };
    },
    options,
  );
  await rpc.serve(
    authenticateOrgKey,
    async ({ keyHash, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.organisationByKeyHash(keyHash);
      return {
        organisation: found && { orgId: found.orgId, orgName: found.orgName, universe: universeOfKey(found.universe) },
      };
    },
    options,
  );
  await rpc.serve(
    findSignatureKey,
    async ({ agentId, atLeast }, call) => {
      await reach(atLeast, call);
      const found = await queries.signerById(agentId);
      if (found === null) return { signer: null };
      const { universe, orgId, publicKey, orgDomain, agentsOfDomain } = found;
      const identity = { agentId, universe: universeOfKey(universe), orgId };
      return { signer: { identity, publicKey, orgDomain, agentsOfDomain } };
    },
    options,
  );
}
