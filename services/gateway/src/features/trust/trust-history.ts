import { DomainError, getTrustHistory, trustHistoryRoute, trustHistoryToWire } from '@agent-trust/contracts';
import { scopeOf } from '../../http/caller/scope.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const trustHistory: Endpoint = endpoint(
  trustHistoryRoute,
  async ({ params, query, request, reply }, gateway) => {
    const universe = await scopeOf(gateway, request, 'getTrustHistory');
    const agentId = params.agent_id;
    const { history, total } = await ask(gateway, request, getTrustHistory, { agentId, universe, ...query });
    if (history === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
    setPageHeaders(reply, `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust/history`, query, total);
    return trustHistoryToWire(agentId, history);
  },
);
