import { finished } from 'node:stream';
import {
  DomainError,
  getOrgAgentProfile,
  getOrgAgentRoute,
  listOrgPayments,
  namedKeyIdentity,
  listOrgPaymentsRoute,
  orgPayment,
  orgPaymentTotal,
  orgPaymentTotalsRoute,
  getOrgPaymentTotals,
  ownerAgentProfileToWire,
  toWire,
  whoamiRoute,
  listOrgAgents,
  listOrgAgentsRoute,
  type OwnerAgent,
  ownerTrustObjectToWire,
} from '@agent-trust/contracts';
import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';
import { ask, readInHalves } from '../../bus/ask.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { sendJsonArray } from '../../http/json-array.ts';
import { setPageHeaders } from '../../http/public-document.ts';
import { edgeLimits } from '../../limits.ts';

const whoami = endpoint(whoamiRoute, async ({ caller }) => {
  const { orgName, universe, namedKey } = caller.organisation;
  return {
    org_name: orgName,
    is_sandbox: universe.kind === 'sandbox',
    ...(namedKey === null ? {} : { named_key: toWire(namedKeyIdentity, namedKey) }),
  };
});

const orgAgent = endpoint(getOrgAgentRoute, async ({ params, caller, request }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const agentId = params.agent_id;
  const { agent, ratings } = await ask(gateway, request, getOrgAgentProfile, { orgId, agentId, universe });
  // The same text for an unknown agent, another organisation's, and one in the other universe: the difference must not be revealed.
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

const paymentTotals = endpoint(orgPaymentTotalsRoute, async ({ caller, request }, gateway) => {
  const { orgId, universe } = caller.organisation;
  const { totals } = await ask(gateway, request, getOrgPaymentTotals, { orgId, universe });
  return totals.map((total) => toWire(orgPaymentTotal, total));
});

const orgAgents = endpoint(listOrgAgentsRoute, async ({ query, caller, request, reply }, gateway) => {
  const { orgId, universe } = caller.organisation;
  // Held until the answer is sent or the client disconnects.
  finished(reply.raw, await gateway.orgListings.enter(orgId, clientGone(reply)));
  const { limit, offset } = query;
  const batches = agentBatches((batch) => ask(gateway, request, listOrgAgents, { orgId, universe, ...batch }), {
    limit,
    offset,
  });
  // Read before anything is sent, so that a failure is answered as an error.
  const first = (await batches.next()).value ?? { agents: [], total: 0 };
  const page = limit === undefined ? null : { limit, offset };
  setPageHeaders(reply, `${gateway.baseUrl}/org/agents`, page, first.total ?? 0);
  const toWire = ({ agents }: ListedAgents) => agents.map((agent) => ownerTrustObjectToWire(agent, gateway.baseUrl));
  async function* listed(): AsyncGenerator<object[]> {
    yield toWire(first);
    // HEAD needs no more.
    if (request.method === 'HEAD') return;
    for await (const batch of batches) yield toWire(batch);
  }
  return sendJsonArray(reply, listed(), (err) =>
    gateway.logger.warn({ err, request_id: request.id }, 'a listing of agents broke off'),
  );
});

/** A batch begins after the agent `after`, and skips `offset` agents. */
type AgentBatch = { after: string | null; offset: number; limit: number };
type ReadAgents = (batch: AgentBatch) => Promise<{ agents: OwnerAgent[]; total: number | null }>;
type ListedAgents = Awaited<ReturnType<ReadAgents>>;

/**
 * Reads an organisation's agents in batches, each after the last agent of the one before, so that none is listed twice or missed while
 * others are added or removed. A batch that is too large for the bus is read shorter. @param page.limit undefined: to the end
 */
async function* agentBatches(
  read: ReadAgents,
  page: { offset: number; limit: number | undefined },
): AsyncGenerator<ListedAgents, void> {
  let left = page.limit ?? Number.POSITIVE_INFINITY;
  let batchMax: number = edgeLimits.orgAgentsBatchMax;
  let begin = { after: null as string | null, offset: page.offset };
  for (;;) {
    const limit = Math.min(left, batchMax);
    const batch = await unlessTooLarge(read({ ...begin, limit }), limit);
    if (batch === null) {
      batchMax = Math.ceil(limit / 2);
      continue;
    }
    yield batch;
    const last = batch.agents.at(-1);
    left -= batch.agents.length;
    if (last === undefined || left === 0 || batch.agents.length < limit) return;
    begin = { after: last.agentId, offset: 0 };
  }
}

/** A single agent is never too large: its fields are bounded far below. */
const unlessTooLarge = (reading: Promise<ListedAgents>, limit: number): Promise<ListedAgents | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof RpcPayloadTooLargeError && limit > 1) return null;
    throw error;
  });

export const organisationEndpoints: readonly Endpoint[] = [whoami, orgAgent, orgAgents, payments, paymentTotals];
