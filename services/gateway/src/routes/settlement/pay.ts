import { finished } from 'node:stream';
import { payByGetRoute, payByPostRoute } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { answerRelayed } from '../../pay/answer-relayed.ts';
import { openRelay } from '../../pay/open-relay.ts';
import { payerOf } from '../../pay/payer.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

const pay = (route: typeof payByGetRoute): Endpoint =>
  endpoint(
    route,
    async ({ params, query, request, reply }, gateway) => {
      const payer = await payerOf(gateway, request);
      // Held until the answer is out or the client has gone, whichever it was.
      finished(reply.raw, gateway.payments.take(payer === null ? clientOf(request.ip) : `agent ${payer.agentId}`));
      const relay = await openRelay(gateway, request, reply, {
        agentId: params.agent_id,
        payer,
        callerAgentId: query.caller_agent_id ?? null,
        callRef: query.call_ref ?? null,
      });
      return answerRelayed(gateway, reply, relay);
    },
    { withoutHead: true, streamsBody: true },
  );

export const payByGet: Endpoint = pay(payByGetRoute);
export const payByPost: Endpoint = pay(payByPostRoute);
