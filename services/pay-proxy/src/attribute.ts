import {
  agentBlocked,
  getExchangeParties,
  limits,
  production,
  relayWaitsMs,
  sameUniverse,
} from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { PayContext, Payer, PayInput } from './payment.ts';

const callTo = async (rpc: Rpc, { callRef, agentId }: PayInput, { correlationId }: PayContext) => {
  // Such a text is no transaction_id, so it is not looked up.
  if (callRef === null || callRef === '' || callRef.length > limits.agentIdCharsMax) return null;
  const { parties } = await rpc.request(
    getExchangeParties,
    { transactionId: callRef },
    { timeoutMs: relayWaitsMs.partiesLookup, correlationId },
  );
  return parties?.receiverAgentId === agentId ? { ...parties, callRef } : null;
};

/**
 * Who pays. A key proves it. So does the transaction_id of a call to this agent: only its authenticated caller knows it until the call is reviewed.
 * If both are given, the key counts, and another agent's call is ignored like an unknown one. The universe is the key's, else the call's, else
 * production. caller_agent_id alone proves nothing. @throws DomainError agent_suspended, agent_retired for the call of such an agent.
 */
export async function attribute(rpc: Rpc, input: PayInput, context: PayContext): Promise<Payer> {
  const { payer } = input;
  const call = await callTo(rpc, input, context);
  const isOwnCall =
    call !== null &&
    (payer === null || (call.callerAgentId === payer.agentId && sameUniverse(call.universe, payer.universe)));
  if (isOwnCall) {
    const { callerAgentId, callerBlock, callRef, universe } = call;
    if (callerBlock !== null) throw agentBlocked(callerAgentId, callerBlock);
    return { attribution: 'call_ref', callerAgentId, callRef, universe };
  }
  return payer === null
    ? { attribution: 'none', callerAgentId: null, callRef: null, universe: production }
    : { attribution: 'bearer', callerAgentId: payer.agentId, callRef: null, universe: payer.universe };
}
