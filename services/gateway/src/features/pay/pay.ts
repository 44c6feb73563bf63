import { payByGetRoute, payByPostRoute } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { admitPayment } from './admit-payment.ts';
import { answerRelayed } from './answer-relayed.ts';
import { openRelay } from './open-relay.ts';
import { bodyPassedOn, queryPassedOn } from './passed-on.ts';

const pay = (route: typeof payByGetRoute): Endpoint =>
  endpoint(
    route,
    async ({ params, query, request, reply }, gateway) => {
      // In the order of every route: what is wrong with the request itself is told before what is wrong with its credential.
      const passedQuery = queryPassedOn(request);
      const body = await bodyPassedOn(request);
      const relay = await openRelay(gateway, request, reply, {
        agentId: params.agent_id,
        payer: await admitPayment(gateway, request, reply, body),
        callerAgentId: query.caller_agent_id ?? null,
        callRef: query.call_ref ?? null,
        query: passedQuery,
        body,
      });
      return answerRelayed(gateway, reply, relay);
    },
    { streamsBody: true },
  );

export const payByGet: Endpoint = pay(payByGetRoute);
export const payByPost: Endpoint = pay(payByPostRoute);
