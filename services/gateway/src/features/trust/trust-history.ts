import { DomainError, getTrustHistory, trustHistoryRoute, trustHistoryToWire } from '@agent-trust/contracts';
import { universeOf } from '../../http/caller/caller.ts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const trustHistory: Endpoint = endpoint(
  trustHistoryRoute,
  async ({ params, query, caller, request, reply }, gateway) => {
    const universe = universeOf(caller);
    const agentId = params.agent_id;
    const { history, total } = await ask(gateway, request, getTrustHistory, { agentId, universe, ...query });
    if (history === null) throw new DomainError('agent_not_found', 'no agent of this id is registered');
    setPageHeaders(reply, `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust/history`, query, total);
    return trustHistoryToWire(agentId, history);
  },
);
