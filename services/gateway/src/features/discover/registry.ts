import { listRegistry, registryRoute, trustObjectToWire } from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const registry: Endpoint = endpoint(registryRoute, async ({ query, caller, request, reply }, gateway) => {
  const { limit, offset, min_trust_score: minTrustScore } = query;
  const universe = universeOf(caller);
  const { agents, total } = await readInHalves(
    { limit, offset },
    (batch) => ask(gateway, request, listRegistry, { universe, minTrustScore, ...batch }),
    (first, second) => ({ agents: [...first.agents, ...second.agents], total: second.total }),
  );
  setPageHeaders(reply, `${gateway.baseUrl}/registry`, query, total);
  return agents.map((agent) => trustObjectToWire(agent, gateway.baseUrl));
});
