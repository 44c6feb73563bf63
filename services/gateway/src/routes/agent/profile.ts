import { DomainError, agentProfileToWire, agentRoute, getAgentProfile } from '@agent-trust/contracts';
import { scopeOf } from '../../authentication/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { refuseTrustParameters } from '../../http/not-yet.ts';

export const profile: Endpoint = endpoint(agentRoute, async ({ params, request }, gateway) => {
  refuseTrustParameters(request);
  const universe = await scopeOf(gateway, request, 'getAgent');
  const { agent, ratings } = await ask(gateway, request, getAgentProfile, { agentId: params.agent_id, universe });
  if (agent === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
  return agentProfileToWire(agent, ratings, gateway.baseUrl);
});
