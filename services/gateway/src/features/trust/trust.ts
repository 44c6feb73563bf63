import {
  agentNotFound,
  type AsOf,
  explainedTrust,
  explainTrust,
  explainTrustRoute,
  getTrustHistory,
  toWire,
  trustHistory as trustHistoryView,
  trustHistoryRoute,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { universeOf } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';

const trust = endpoint(explainTrustRoute, async ({ params, query, caller, request, reply }, gateway) => {
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
  if (trust === null) throw agentNotFound(agentId);
  const address = `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust`;
  setPageHeaders(reply, address, { limit, offset, ...(asOf === null ? {} : { as_of: asOfText(asOf) }) }, reviewsTotal);
  return toWire(explainedTrust, trust);
});

const trustHistory = endpoint(trustHistoryRoute, async ({ params, query, caller, request, reply }, gateway) => {
  const universe = universeOf(caller);
  const agentId = params.agent_id;
  const { history, total } = await ask(gateway, request, getTrustHistory, { agentId, universe, ...query });
  if (history === null) throw agentNotFound(agentId);
  setPageHeaders(reply, `${gateway.baseUrl}/agent/${encodeURIComponent(agentId)}/trust/history`, query, total);
  return toWire(trustHistoryView, { agentId, history });
});

/** A moment as it stands in an address. */
export function asOfText(asOf: AsOf): string {
  return 'position' in asOf ? asOf.position : asOf.time;
}

export const trustEndpoints: readonly Endpoint[] = [trust, trustHistory];
