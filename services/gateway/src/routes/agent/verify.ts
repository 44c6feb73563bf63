import { DomainError, getAgent, trustObjectToWire, verifyRoute } from '@agent-trust/contracts';
import { scopeOf } from '../../authentication/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { refuseTrustParameters } from '../../http/not-yet.ts';
import { HttpRefusal } from '../../http/refusal.ts';

export const verify: Endpoint = endpoint(verifyRoute, async ({ body, request }, gateway) => {
  refuseTrustParameters(request);
  const universe = await scopeOf(gateway, request, 'verify');
  const { agent } = await ask(gateway, request, getAgent, { agentId: body.agent_id, universe });
  if (agent === null) throw unregistered(body.agent_id);
  return trustObjectToWire(agent, gateway.baseUrl);
});

/** An unknown agent is an error and a verdict in one: nobody who reads either can take it for trusted. */
const unregistered = (agentId: string): HttpRefusal =>
  new HttpRefusal(new DomainError('agent_not_found', 'no agent of this id is registered'), {
    fields: {
      agent_id: agentId,
      verified: false,
      trust_score: 0,
      flags: ['unregistered'],
      recommended_action: 'block',
    },
  });
