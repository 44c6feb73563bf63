import { agentId, relayPayment, route } from '@agent-trust/contracts';
import { z } from 'zod';
import { Readable } from 'node:stream';
import { originOf } from '../../bus/ask.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const payRoute = (method: 'GET' | 'POST') =>
  route({
    method,
    path: '/pay/{agent_id}',
    operationId: method === 'GET' ? 'payByGet' : 'payByPost',
    summary: 'Relay a payment-carrying request to an agent',
    tag: 'Settlement',
    credentials: ['none'],
    params: z.object({ agent_id: agentId }),
    answers: { 200: { description: "The agent's answer.", body: null } },
    errors: ['not_implemented'],
  });

/** Hands the request to a pay-proxy, which refuses it as not implemented for now; its body is not read here. */
const pay = (method: 'GET' | 'POST'): Endpoint =>
  endpoint(
    payRoute(method),
    async ({ params, request, reply }, gateway) => {
      const input = { agentId: params.agent_id, method };
      const relayed = await gateway.rpc.openStream(relayPayment, input, {
        ...originOf(request),
        signal: clientGone(reply),
      });
      return reply.code(relayed.head.statusCode).send(Readable.from(relayed.body, { objectMode: false }));
    },
    { withoutHead: true, streamsBody: true },
  );

export const payByGet: Endpoint = pay('GET');
export const payByPost: Endpoint = pay('POST');
