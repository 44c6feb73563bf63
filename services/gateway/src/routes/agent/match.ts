import { matchAgents, matchResultToWire, matchRoute } from '@agent-trust/contracts';
import { scopeOf } from '../../authentication/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const match: Endpoint = endpoint(matchRoute, async ({ body, request }, gateway) => {
  const { matches } = await ask(gateway, request, matchAgents, {
    universe: await scopeOf(gateway, request, 'match'),
    requiredCapabilities: body.required_capabilities ?? null,
    settlementRail: body.settlement_rail ?? null,
    orgName: body.org_name ?? null,
    messageProtocol: body.message_protocol ?? null,
    limit: body.limit,
  });
  return matches.map((found) => matchResultToWire(found, gateway.baseUrl));
});
