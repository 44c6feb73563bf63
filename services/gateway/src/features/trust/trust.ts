import { DomainError, explainedTrustToWire, explainTrust, explainTrustRoute } from '@agent-trust/contracts';
import { scopeOf } from '../../http/caller/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { asOfText } from '../../http/as-of.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const trust: Endpoint = endpoint(explainTrustRoute, async ({ params, query, request, reply }, gateway) => {
  const { as_of: asOf = null, limit, offset } = query;
  const universe = await scopeOf(gateway, request, 'explainTrust');
  const agentId = params.agent_id;
  const { trust, reviewsTotal } = await ask(gateway, request, explainTrust, { agentId, universe, asOf, limit, offset });
  if (trust === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
  const address = `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust`;
  setPageHeaders(reply, address, { limit, offset, ...(asOf === null ? {} : { as_of: asOfText(asOf) }) }, reviewsTotal);
  return explainedTrustToWire(trust);
});
