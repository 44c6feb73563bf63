import { authenticateAgentKey, authenticateOrgKey, findSignatureKey } from '@agent-trust/contracts';
import { universeOfKey } from '../../projector/read-models/universe-key.ts';
import { queryLimits } from '../../shared/limits.ts';
import { serveWithin } from '../../shared/serve-within.ts';
import type { QueryContext } from './context.ts';

/** Whose a key is, by its hash, and what an agent's signatures are checked with. */
export async function serveAuthentication({ rpc, queries, reach }: QueryContext): Promise<void> {
  const serve = serveWithin(rpc, queryLimits.queriesConcurrentMax);
  await serve(authenticateAgentKey, async ({ keyHash, atLeast }, call) => {
    await reach(atLeast, call);
    const found = await queries.agentByKeyHash(keyHash);
    return { agent: found && { agentId: found.agentId, universe: universeOfKey(found.universe), orgId: found.orgId } };
  });
  await serve(authenticateOrgKey, async ({ keyHash, atLeast }, call) => {
    await reach(atLeast, call);
    const found = await queries.organisationByKeyHash(keyHash);
    if (found === null) return { organisation: null };
    const { orgId, orgName, universe } = found;
    return { organisation: { orgId, orgName, universe: universeOfKey(universe) } };
  });
  await serve(findSignatureKey, async ({ agentId, atLeast }, call) => {
    await reach(atLeast, call);
    const found = await queries.signerById(agentId);
    if (found === null) return { signer: null };
    const { universe, orgId, publicKey, orgDomain, agentsOfDomain } = found;
    const identity = { agentId, universe: universeOfKey(universe), orgId };
    return { signer: { identity, publicKey, orgDomain, agentsOfDomain } };
  });
}
