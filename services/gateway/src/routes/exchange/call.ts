import { callRoute } from '@agent-trust/contracts';
import { admitCall, authenticateCaller } from '../../call/admit-call.ts';
import { answerEvents } from '../../call/answer-events.ts';
import { answerWhole } from '../../call/answer-whole.ts';
import { failedCall } from '../../call/failed-call.ts';
import { openCall } from '../../call/open-call.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { refuseIdempotencyKey } from '../../http/not-yet.ts';

export const call: Endpoint = endpoint(
  callRoute,
  async ({ body, request, reply }, gateway) => {
    const caller = await authenticateCaller(gateway, request, reply);
    refuseIdempotencyKey(request);
    const parties = { callerAgentId: body.caller_agent_id, agentId: body.agent_id };
    try {
      // The proxy finds the target first and tells a caller_mismatch after: an unknown target is 404 for everybody.
      const opened = await openCall(gateway, request, caller, body, clientGone(reply));
      if (opened.head.streaming) return await answerEvents(gateway, reply, opened);
      return await answerWhole(gateway, reply, parties, opened);
    } catch (error) {
      throw await failedCall(gateway, request, parties, error);
    }
  },
  { keepsRawBody: true, admit: admitCall },
);
