import { payByGetRoute, payByPostRoute } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { admitPayment } from './admit-payment.ts';
import { answerRelayed } from './answer-relayed.ts';
import { openRelay } from './open-relay.ts';
import { bodyPassedOn, queryPassedOn } from './passed-on.ts';

const pay = (route: typeof payByGetRoute): Endpoint =>
  endpoint(
    route,
    async ({ params, query, caller, checked, request, reply }, gateway) => {
      const payer = caller.kind === 'agent' ? caller.agent : null;
      admitPayment(gateway, request, reply, payer, checked.body);
      const relay = await openRelay(gateway, request, reply, {
        agentId: params.agent_id,
        payer,
        callerAgentId: query.caller_agent_id ?? null,
        callRef: query.call_ref ?? null,
        ...checked,
      });
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

export const payByGet: Endpoint = pay(payByGetRoute);
export const payByPost: Endpoint = pay(payByPostRoute);
