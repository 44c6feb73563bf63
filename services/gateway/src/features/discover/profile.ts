import {
  DomainError,
  agentProfileToWire,
  agentRoute,
  getAgentProfile,
  getPastAgentProfile,
} from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const profile: Endpoint = endpoint(agentRoute, async ({ params, query, caller, request }, gateway) => {
  const { as_of: asOf } = query;
  const universe = universeOf(caller);
  const asked = { agentId: params.agent_id, universe };
  const { agent, ratings } = await (asOf === undefined
    ? ask(gateway, request, getAgentProfile, asked)
    : ask(gateway, request, getPastAgentProfile, { ...asked, asOf }));
  if (agent === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
  return agentProfileToWire(agent, ratings, gateway.baseUrl);
});
