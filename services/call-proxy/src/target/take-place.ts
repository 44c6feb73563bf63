import { RpcRefusal } from '@agent-trust/nats-rpc';
import { type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';
import type { Call } from '../call.ts';
import type { RoutableTarget } from '../request/plan.ts';

/**
 * Takes a place at the target for one call, which is held until the call is over. Asked for before the exchange is written: who is
 * refused here has not been carried to the agent, so there is nothing to put on record and nothing to review.
 *
 * @throws RpcRefusal target_unavailable or target_busy, `data.retryAfterMs` and for the former `data.fallbackAgentId`; overloaded.
 */
export async function takePlace(call: Call, target: RoutableTarget): Promise<TargetPass> {
  const { deps, input, context } = call;
  try {
    const place = deps.guard.enter({
      url: target.endpointUrl,
      agentId: target.agentId,
      callerId: input.caller.agentId,
    });
    context.whenOver(() => place.leave());
    return place;
  } catch (error) {
    if (error instanceof TargetRefused) throw await refusalOf(call, error);
    throw error;
  }
}

const refusalOf = async (call: Call, { code, message, retryAfterMs }: TargetRefused): Promise<RpcRefusal> => {
  const fallback = code === 'target_unavailable' ? { fallbackAgentId: await call.deps.fallbacks.of(call) } : {};
  return new RpcRefusal(code, message, { data: { retryAfterMs, ...fallback } });
};
