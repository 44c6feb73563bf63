import { callWaitsMs, DomainError, faultAt, getCallTarget, type Universe } from '@agent-trust/contracts';
import { type Rpc, RpcRefusal } from '@agent-trust/nats-rpc';
import { type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';
import type { Call } from './call.ts';
import type { RoutableTarget } from './request/outbound-plan.ts';

export type CallParties = {
  /** Who is authenticated. */
  caller: { agentId: string; universe: Universe };
  /** Who the body says is calling. */
  callerAgentId: string;
  agentId: string;
};

/**
 * Finds the target and holds the call to the rules about its parties, in the order of the decisions: the target must exist in the
 * caller's universe, then the caller must be who it says it is, then the target must have an endpoint.
 */
export async function resolveTarget(rpc: Rpc, parties: CallParties, correlationId: string): Promise<RoutableTarget> {
  const { target } = await rpc.request(
    getCallTarget,
    { agentId: parties.agentId, universe: parties.caller.universe },
    { timeoutMs: callWaitsMs.targetLookup, correlationId },
  );
  if (target === null) {
    throw new DomainError('agent_not_found', `No agent '${parties.agentId}' is registered in the caller's universe.`);
  }
  if (parties.callerAgentId !== parties.caller.agentId) {
    throw new DomainError(
      'caller_mismatch',
      `caller_agent_id is '${parties.callerAgentId}', but the credential is that of '${parties.caller.agentId}'.`,
    );
  }
  if (target.endpointUrl === null) {
    throw faultAt('no_endpoint', ['body', 'agent_id'], `Agent '${parties.agentId}' has no endpoint to call.`);
  }
  return { ...target, endpointUrl: target.endpointUrl };
}

/**
 * Counts one call as under way at its target until the call is over. This comes before the exchange is recorded: a call that is refused
 * here was not carried to the agent, so there is nothing to record and nothing to review.
 *
 * @throws RpcRefusal target_unavailable or target_busy, `data.retryAfterMs` and for the former `data.fallbackAgentId`; overloaded.
 */
export async function enterTarget(call: Call, target: RoutableTarget): Promise<TargetPass> {
  const { deps, input, context } = call;
  try {
    const pass = deps.guard.enter({
      url: target.endpointUrl,
      agentId: target.agentId,
      callerId: input.caller.agentId,
    });
    context.whenOver(() => pass.leave());
    return pass;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    const { code, message, retryAfterMs } = error;
    const fallback = code === 'target_unavailable' ? { fallbackAgentId: await deps.fallbacks.fallbackOf(call) } : {};
    throw new RpcRefusal(code, message, { data: { retryAfterMs, ...fallback } });
  }
}
