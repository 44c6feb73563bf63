import { finished, Readable } from 'node:stream';
import {
  type AgentIdentity,
  payByGetRoute,
  payByPostRoute,
  listSettlements,
  listSettlementsRoute,
  settlement,
  toWire,
} from '@agent-trust/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ask, readInHalves } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import type { Gateway } from '../../gateway.ts';
import { holderOfAgent } from '../../http/caller/caller.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';
import { countedIfDone } from '../../quota/counted.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { type OpenedRelay, openRelay } from './open-relay.ts';
import { bodyPassedOn, type PassedBody, queryPassedOn } from './passed-on.ts';

const pay = (route: typeof payByGetRoute): Endpoint =>
  endpoint(
    route,
    async ({ params, query, caller, checked, request, reply }, gateway) => {
      const payer = caller.kind === 'agent' ? caller.agent : null;
      acquirePayment(gateway, request, reply, payer, checked.body);
      const admitted = await gateway.quotas.take(request, payer === null ? null : holderOfAgent(payer), 'calls');
      const relay = await countedIfDone(admitted, () =>
        openRelay(gateway, request, reply, {
          agentId: params.agent_id,
          payer,
          callerAgentId: query.caller_agent_id ?? null,
          callRef: query.call_ref ?? null,
          ...checked,
        }),
      );
      return answerRelayed(gateway, reply, relay);
    },
    {
      streamsBody: true,
      check: async ({ request }: { request: FastifyRequest }) => ({
        query: queryPassedOn(request),
        body: await bodyPassedOn(request),
      }),
    },
  );

/**
 * Counts a payment until its answer is sent, and an unread body until it has arrived. @param payer Null for an anonymous payer. @throws
 * HttpRefusal too_many_calls; DomainError overloaded.
 */
function acquirePayment(
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  payer: AgentIdentity | null,
  body: PassedBody | undefined,
): void {
  const holder = payer ?? { address: clientOf(request.ip) };
  finished(reply.raw, gateway.paymentLimiter.acquire(holder));
  if (body?.isStillComing === true) finished(request.raw, gateway.uploadLimiter.acquire(holder));
}

/**
 * Passes an agent's answer on as it comes, once readers see its settlement or a timeout: the answer is paid for, so no error of the
 * registry may replace it.
 */
async function answerRelayed(gateway: Gateway, reply: FastifyReply, relay: OpenedRelay): Promise<FastifyReply> {
  const { head } = relay;
  if (head.position !== null) {
    try {
      await untilReadable(gateway, head.position);
    } catch (error) {
      gateway.logger.warn({ err: error, request_id: reply.request.id }, 'readers may not see a settlement yet');
    }
  }
  return (
    reply
      .code(head.statusCode)
      .headers(head.headers)
      .header('x-registry-attribution', head.attribution)
      // A browser must not run an agent's content as a page of the registry.
      .header('content-security-policy', 'sandbox allow-scripts')
      .send(Readable.from(relay.body, { objectMode: false }))
  );
}

const settlements = endpoint(listSettlementsRoute, async ({ query, request, reply }, gateway) => {
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

export const paymentEndpoints: readonly Endpoint[] = [pay(payByGetRoute), pay(payByPostRoute), settlements];
