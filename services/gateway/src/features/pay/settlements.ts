import { listSettlements, listSettlementsRoute, settlement, toWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const settlements: Endpoint = endpoint(listSettlementsRoute, async ({ query, request, reply }, gateway) => {
  const { limit, offset, org_name: orgName } = query;
  const page = await readInHalves(
    { limit, offset },
    (range) => ask(gateway, request, listSettlements, { orgName: orgName ?? null, ...range }),
    (first, second) => ({ settlements: [...first.settlements, ...second.settlements], total: second.total }),
  );
  const address = `${gateway.baseUrl}/ops/settlements`;
  const filter: Record<string, string> = orgName === undefined ? {} : { org_name: orgName };
  setPageHeaders(reply, address, { limit, offset, ...filter }, page.total);
  return page.settlements.map((one) => toWire(settlement, one));
});
