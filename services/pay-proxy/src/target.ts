import { DomainError, faultAt, getCallTarget, relayWaitsMs } from '@agent-trust/contracts';
import { type Rpc, RpcRefusal } from '@agent-trust/nats-rpc';
import { type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';
import type { PayContext, Payer, PayInput, Payment } from './payment.ts';

/** Where the agent that is paid lives, and who vouches for it. */
export type PaidTarget = { endpointUrl: string; orgId: string | null };

/**
 * The endpoint of the agent that is paid. In the order of the decisions: the agent must exist in the payer's universe, then the payer must
 * be who it says it is, then the agent must have an endpoint.
 *
 * @throws DomainError agent_not_found, caller_mismatch, no_endpoint.
 */
export async function resolveEndpoint(
  rpc: Rpc,
  input: PayInput,
  { universe }: Payer,
  { correlationId }: PayContext,
): Promise<PaidTarget> {
  const { agentId, payer, callerAgentId } = input;
  const { target } = await rpc.request(
    getCallTarget,
    { agentId, universe },
    { timeoutMs: relayWaitsMs.targetLookup, correlationId },
  );
  if (target === null)
    throw new DomainError('agent_not_found', `No agent '${agentId}' is registered in this universe.`);
  if (payer !== null && callerAgentId !== null && callerAgentId !== payer.agentId) {
    throw new DomainError(
      'caller_mismatch',
      `caller_agent_id is '${callerAgentId}', but the credential is that of '${payer.agentId}'.`,
    );
  }
  if (target.endpointUrl === null) {
    throw faultAt('no_endpoint', ['path', 'agent_id'], `Agent '${agentId}' has no endpoint to pay at.`);
  }
  return { endpointUrl: target.endpointUrl, orgId: target.orgId };
}

/**
 * Counts one payment as under way at the agent, before anything of it is sent: whoever is refused here has paid nothing.
 *
 * @throws RpcRefusal target_unavailable or target_busy, `data.retryAfterMs`; overloaded.
 */
export function enterTarget({ deps, input, payer, endpointUrl }: Payment): TargetPass {
  try {
    return deps.guard.enter({
      url: endpointUrl,
      agentId: input.agentId,
      // Proven by a key or by a call, as in the record.
      callerId: payer.callerAgentId,
      anonymousId: input.anonymousId,
    });
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new RpcRefusal(error.code, error.message, { data: { retryAfterMs: error.retryAfterMs } });
  }
}
