import {
  type CallTarget,
  callWaitsMs,
  changedKeys,
  agentBlocked,
  agentNotFound,
  DomainError,
  faultAt,
  getCallTarget,
  relayWaitsMs,
  type Universe,
} from '@agent-trust/contracts';
import type { Replica } from '@agent-trust/edge-replica/bus';
import { type Rpc, RpcRefusal } from '@agent-trust/nats-rpc';
import { type GuardedTarget, type TargetGuard, type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';

export type RoutableTarget = CallTarget & { endpointUrl: string };

type Parties = {
  agentId: string;
  universe: Universe;
  /** The authenticated caller, if any, and the caller that the request names. */
  caller: { agentId: string } | null;
  callerAgentId: string | null;
};

const routes = {
  call: { location: 'body', purpose: 'call', timeoutMs: callWaitsMs.targetLookup },
  pay: { location: 'path', purpose: 'pay at', timeoutMs: relayWaitsMs.targetLookup },
} as const;

/**
 * Finds the agent of a request. Checks in the order of the decisions: the agent exists in the caller's universe (else agent_not_found), the caller is
 * who it claims to be (else caller_mismatch), the agent is in service (else agent_suspended or agent_retired) and has an endpoint (else no_endpoint). The agent comes from memory if it was found before and has
 * not changed since (docs/consistency.md).
 */
export async function findTarget(
  { rpc, replica }: { rpc: Pick<Rpc, 'request'>; replica: Pick<Replica, 'read'> },
  route: 'call' | 'pay',
  { agentId, universe, caller, callerAgentId }: Parties,
  correlationId: string,
): Promise<RoutableTarget> {
  const { location, purpose, timeoutMs } = routes[route];
  const target = await replica.read(`target:${JSON.stringify([agentId, universe])}`, async () => {
    const answer = await rpc.request(getCallTarget, { agentId, universe }, { timeoutMs, correlationId });
    // Anybody can name any number of agents that do not exist, which would push out the others.
    return { value: answer.target, dependsOn: answer.target && [changedKeys.agent(agentId)] };
  });
  if (target === null) throw agentNotFound(agentId);
  if (caller !== null && callerAgentId !== null && callerAgentId !== caller.agentId) {
    throw new DomainError(
      'caller_mismatch',
      `caller_agent_id is '${callerAgentId}', but the credential is that of '${caller.agentId}'.`,
    );
  }
  if (target.block !== null) throw agentBlocked(agentId, target.block);
  if (target.endpointUrl === null) {
    throw faultAt('no_endpoint', [location, 'agent_id'], `Agent '${agentId}' has no endpoint to ${purpose}.`);
  }
  return { ...target, endpointUrl: target.endpointUrl };
}

/**
 * Counts a request as under way at its target, before anything is sent or recorded: a refused caller has not paid, and has no exchange to review.
 *
 * @throws RpcRefusal target_unavailable, target_busy or overloaded; `data.retryAfterMs`, and for the first the `data.fallbackAgentId` of `findFallback`.
 */
export async function enterTarget(
  guard: TargetGuard,
  target: GuardedTarget,
  findFallback?: () => Promise<string | null>,
): Promise<TargetPass> {
  try {
    return guard.enter(target);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    const { code, message, retryAfterMs } = error;
    const suggests = code === 'target_unavailable' && findFallback !== undefined;
    const fallback = suggests ? { fallbackAgentId: await findFallback() } : {};
    throw new RpcRefusal(code, message, { data: { retryAfterMs, ...fallback } });
  }
}
