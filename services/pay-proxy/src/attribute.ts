import { getExchangeParties, limits, production, relayWaitsMs, sameUniverse } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { PayContext, Payer, PayInput } from './payment.ts';

const callTo = async (rpc: Rpc, { callRef, agentId }: PayInput, { correlationId }: PayContext) => {
  // What no transaction is called need not be looked for.
  if (callRef === null || callRef === '' || callRef.length > limits.agentIdCharsMax) return null;
  const { parties } = await rpc.request(
    getExchangeParties,
    { transactionId: callRef },
    { timeoutMs: relayWaitsMs.partiesLookup, correlationId },
  );
  return parties?.receiverAgentId === agentId ? { ...parties, callRef } : null;
};

/**
 * Who pays. A key proves it; so does the transaction_id of a call to this very agent, whose caller was authenticated then and is the only one
 * who was told it, for as long as the call is not reviewed. With both, the key counts, and a call of somebody else's is ignored like any that leads nowhere. The universe is the
 * key's, else the call's, else production; caller_agent_id alone proves nothing.
 */
export async function attribute(rpc: Rpc, input: PayInput, context: PayContext): Promise<Payer> {
  const { payer } = input;
  const call = await callTo(rpc, input, context);
  if (payer !== null) {
    const isOwnCall =
      call !== null && call.callerAgentId === payer.agentId && sameUniverse(call.universe, payer.universe);
    return {
      attribution: isOwnCall ? 'call_ref' : 'bearer',
      callerAgentId: payer.agentId,
      callRef: isOwnCall ? call.callRef : null,
      universe: payer.universe,
    };
  }
  return call === null
    ? { attribution: 'none', callerAgentId: null, callRef: null, universe: production }
    : {
        attribution: 'call_ref',
        callerAgentId: call.callerAgentId,
        callRef: call.callRef,
        universe: call.universe,
      };
}
