import { RpcRefusal } from '@agent-trust/nats-rpc';
import { type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';
import type { Payment } from './payment.ts';

/**
 * Takes a place at the agent for one payment, before anything of it is sent: who is refused here has paid nothing. It is given back when
 * the request to the agent is over.
 *
 * @throws RpcRefusal target_unavailable or target_busy, `data.retryAfterMs`; overloaded.
 */
export function takePlace({ deps, input, payer, endpointUrl }: Payment): TargetPass {
  try {
    return deps.guard.enter({
      url: endpointUrl,
      agentId: input.agentId,
      // Proven by a key or by a call, as in the record.
      callerId: payer.callerAgentId,
      anonymousId: input.strangerId,
    });
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new RpcRefusal(error.code, error.message, { data: { retryAfterMs: error.retryAfterMs } });
  }
}
