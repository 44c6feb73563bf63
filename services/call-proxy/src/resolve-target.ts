import { callWaitsMs, DomainError, faultAt, getCallTarget } from '@agent-trust/contracts';
import type { Universe } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { RoutableTarget } from './request/plan.ts';

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
