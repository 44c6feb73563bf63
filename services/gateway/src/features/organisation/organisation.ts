import {
  DomainError,
  getOrgAgentProfile,
  getOrgAgentRoute,
  listOrgPayments,
  listOrgPaymentsRoute,
  orgPayment,
  ownerAgentProfileToWire,
  toWire,
  whoamiRoute,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { readInHalves } from '../../bus/read-in-halves.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/page-links.ts';

const whoami = endpoint(whoamiRoute, async ({ caller }) => {
  const { orgName, universe } = caller.organisation;
  return { org_name: orgName, is_sandbox: universe.kind === 'sandbox' };
});

const orgAgent = endpoint(getOrgAgentRoute, async ({ params, caller, request }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const agentId = params.agent_id;
  const { agent, ratings } = await ask(gateway, request, getOrgAgentProfile, { orgId, agentId, universe });
  // One text, whether there is none, or it is another organisation's, or it lives in the other universe: nobody learns which.
  if (agent === null)
    throw new DomainError('agent_not_found', 'the organisation has no agent of this id in this universe');
  return ownerAgentProfileToWire(agent, ratings, gateway.baseUrl);
});

const payments = endpoint(listOrgPaymentsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const page = await readInHalves(
    query,
    (batch) => ask(gateway, request, listOrgPayments, { orgId, universe, ...batch }),
    (first, second) => ({ payments: [...first.payments, ...second.payments], total: second.total }),
  );
  setPageHeaders(reply, `${gateway.baseUrl}/org/payments`, query, page.total);
  return page.payments.map((payment) => toWire(orgPayment, payment));
});

export const organisationEndpoints: readonly Endpoint[] = [whoami, orgAgent, payments];
