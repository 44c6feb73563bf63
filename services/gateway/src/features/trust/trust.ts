import { DomainError, explainedTrustToWire, explainTrust, explainTrustRoute } from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { asOfText } from '../../http/as-of.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const trust: Endpoint = endpoint(
  explainTrustRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const { as_of: asOf = null, limit, offset } = query;
    const universe = universeOf(caller);
    const agentId = params.agent_id;
    const { trust, reviewsTotal } = await ask(gateway, request, explainTrust, {
      agentId,
      universe,
      asOf,
      limit,
      offset,
    });
    if (trust === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
    const address = `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust`;
    setPageHeaders(
      reply,
      address,
      { limit, offset, ...(asOf === null ? {} : { as_of: asOfText(asOf) }) },
      reviewsTotal,
    );
    return explainedTrustToWire(trust);
  },
);
