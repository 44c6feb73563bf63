import { callRoute } from '@agent-trust/contracts';
import { admitCall, acquireCall } from './admit-call.ts';
import { answerEvents } from './answer-events.ts';
import { answerWhole } from './answer-whole.ts';
import { parseCallBody, callMsMax, openCall } from './open-call.ts';
import { exchangeOf, failedCall } from './failed-call.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { scopeOfCaller } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';

export const call: Endpoint = endpoint(
  callRoute,
  async ({ body, caller, actor, request, reply }, gateway) => {
    const { agent } = caller;
    acquireCall(gateway, request, reply, agent);
    const parties = { callerAgentId: body.caller_agent_id, agentId: body.agent_id };
    const scope = scopeOfCaller(caller, agent.agentId);
    // The answer is text that is already JSON.
    reply.type('application/json; charset=utf-8');
    return idempotently(
      gateway,
      { request, reply },
      scope,
      async ({ commandId }, written) => {
        try {
          // The proxy looks for the target first and checks the caller afterwards: an unknown target is 404 for every caller.
          const opened = await openCall(gateway, request, agent, actor, body, { commandId, signal: clientGone(reply) });
          written();
          if (!opened.head.streaming) return await answerWhole(gateway, reply, parties, opened);
          await answerEvents(gateway, reply, parties, opened);
          return reply;
        } catch (error) {
          // Then the agent may have been contacted.
          if (exchangeOf(error) !== null) written();
          throw await failedCall(gateway, request, parties, error);
        }
      },
      { extraLeaseMs: callMsMax(gateway), derivesCommand: true },
    );
  },
  { parsesBody: parseCallBody, admit: admitCall },
);
