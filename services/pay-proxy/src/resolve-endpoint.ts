import { DomainError, faultAt, getCallTarget, relayWaitsMs } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { PayContext, Payer, PayInput } from './payment.ts';

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
