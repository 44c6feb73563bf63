import { payViaUrl, type Universe } from '@agent-trust/contracts';
import {
  type CarriedPayment,
  carryPayment,
  type DemandPlace,
  keepDemand as keepDemandAt,
  type KeptDemands,
  settleAnswer,
} from '@agent-trust/settlements';
import { redactDemand, type Redaction, createRedaction } from '@agent-trust/x402';
import type { RecordedCall } from '../call.ts';
import type { Contacted } from '../contact-agent.ts';
import type { RoutableTarget } from '../request/outbound-plan.ts';

/** Calls have no query of their own, so an agent's demand is the same for all of them, and for a pay address without one. */
const placeOf = ({ agentId, orgId }: RoutableTarget, universe: Universe): DemandPlace => ({
  agentId,
  orgId,
  universe,
  query: '',
});

/** What hides one target's endpoint behind its pay address; one for each answer, so that equal texts have equal stand-ins in it. */
export function redactionFor(target: RoutableTarget, baseUrl: string): Redaction {
  const url = payViaUrl(baseUrl, target.agentId);
  return createRedaction(target.endpointUrl, { base: url, url });
}

/** Makes the caller's payment ready for the agent. */
export function preparePayment(
  deps: { demands: KeptDemands; baseUrl: string },
  paymentHeaders: Record<string, string>,
  target: RoutableTarget,
  universe: Universe,
): Promise<CarriedPayment> {
  return carryPayment(deps.demands, paymentHeaders, placeOf(target, universe), {
    payBase: payViaUrl(deps.baseUrl, target.agentId),
    target: target.endpointUrl,
  });
}

/** Keeps what a demand asks for. */
export async function keepDemand(
  { deps, input }: RecordedCall,
  contacted: Contacted,
  target: RoutableTarget,
  redaction: Redaction,
): Promise<void> {
  if (contacted.kind !== 'whole') return;
  const { statusCode } = contacted;
  const { requirements } = redactDemand(contacted, redaction);
  await keepDemandAt(deps.demands, placeOf(target, input.caller.universe), { statusCode, requirements }, redaction);
}

/**
 * Records the settlement that the answer to a call tells of, attributed to its caller. Answers its log position; null where nothing was
 * recorded.
 */
export function settleCall(
  { deps, input, context, exchange }: RecordedCall,
  contacted: Contacted,
  sent: CarriedPayment,
): Promise<bigint | null> {
  const callRef = exchange?.transactionId ?? null;
  const { agentId: callerAgentId, universe } = input.caller;
  const paid = { universe, receiverAgentId: input.agentId, callerAgentId, callRef };
  // An MCP `initialize` is no exchange, but its caller is authenticated all the same.
  const attribution = callRef === null ? 'bearer' : 'call_ref';
  return settleAnswer(
    deps,
    sent,
    contacted,
    { ...paid, attribution, via: 'call' },
    {
      ...context,
      credentials: input.caller.credentials,
    },
  );
}
