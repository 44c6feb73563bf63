import { DomainError, getOrgAgentProfile, getOrgAgentRoute, ownerAgentProfileToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const orgAgent: Endpoint = endpoint(getOrgAgentRoute, async ({ params, caller, request }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const agentId = params.agent_id;
  const { agent, ratings } = await ask(gateway, request, getOrgAgentProfile, { orgId, agentId, universe });
  // One text, whether there is none, or it is another organisation's, or it lives in the other universe: nobody learns which.
  if (agent === null)
    throw new DomainError('agent_not_found', 'the organisation has no agent of this id in this universe');
  return ownerAgentProfileToWire(agent, ratings, gateway.baseUrl);
});
