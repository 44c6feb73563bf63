import { listOrgPayments, listOrgPaymentsRoute, orgPaymentToWire } from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

export const payments: Endpoint = endpoint(listOrgPaymentsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const page = await readInHalves(
    query,
    (stretch) => ask(gateway, request, listOrgPayments, { orgId, universe, ...stretch }),
    (first, second) => ({ payments: [...first.payments, ...second.payments], total: second.total }),
  );
  setPageHeaders(reply, `${gateway.baseUrl}/org/payments`, query, page.total);
  return page.payments.map(orgPaymentToWire);
});
