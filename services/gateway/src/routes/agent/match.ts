import { matchAgents, matchResultToWire, matchRoute } from '@agent-trust/contracts';
import { scopeOf } from '../../authentication/scope.ts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const match: Endpoint = endpoint(matchRoute, async ({ body, request }, gateway) => {
  const filters = {
    universe: await scopeOf(gateway, request, 'match'),
    requiredCapabilities: body.required_capabilities ?? null,
    settlementRail: body.settlement_rail ?? null,
    orgName: body.org_name ?? null,
    messageProtocol: body.message_protocol ?? null,
  };
  const { matches } = await readInHalves(
    { limit: body.limit, offset: 0 },
    (stretch) => ask(gateway, request, matchAgents, { ...filters, ...stretch }),
    (first, second) => ({ matches: [...first.matches, ...second.matches] }),
  );
  return matches.map((found) => matchResultToWire(found, gateway.baseUrl));
});
