import { payViaUrl, type Universe } from '@agent-trust/contracts';
import { type KeptDemands, recordSettlement } from '@agent-trust/settlements';
import {
  hideDemand,
  type Hiding,
  hidingOf,
  paymentRequired,
  type Requirement,
  restorePaymentHeaders,
  sentPaymentOf,
  settlementOf,
} from '@agent-trust/x402';
import type { RecordedCall } from '../call.ts';
import type { Contacted } from '../contact-agent.ts';
import type { RoutableTarget } from '../request/plan.ts';

/** A payment that goes out with a call, in the agent's own words, and what the agent asked for when it was last asked. */
export type SentPayment = { headers: Record<string, string>; requirements: readonly Requirement[] };

/** Calls have no query of their own, so an agent's demand is the same for all of them, and for a pay address without one. */
const placeOf = (agentId: string, universe: Universe) => ({ agentId, universe, query: '' });

/** What hides one target's endpoint behind its pay address; one for each answer, so that equal texts have equal stand-ins in it. */
export const hidingFor = (target: RoutableTarget, baseUrl: string): Hiding => {
  const url = payViaUrl(baseUrl, target.agentId);
  return hidingOf(target.endpointUrl, { base: url, url });
};

/** Makes the caller's payment ready for the agent; without one nothing is looked up. */
export const preparePayment = async (
  deps: { demands: KeptDemands; baseUrl: string },
  paymentHeaders: Record<string, string>,
  target: RoutableTarget,
  universe: Universe,
): Promise<SentPayment> => {
  if (sentPaymentOf(paymentHeaders) === null) return { headers: {}, requirements: [] };
  const demand = await deps.demands.find(placeOf(target.agentId, universe));
  const originals = demand.originals.length > 0 ? demand.originals : [target.endpointUrl];
  const headers = restorePaymentHeaders(paymentHeaders, payViaUrl(deps.baseUrl, target.agentId), originals);
  return { headers, requirements: demand.requirements };
};

/** Keeps what a demand asks for, so that whichever proxy gets its payment knows. Called before the caller hears of it. */
export const keepDemand = async (
  { deps, input }: RecordedCall,
  contacted: Contacted,
  hiding: Hiding,
): Promise<void> => {
  if (contacted.statusCode !== paymentRequired || contacted.kind !== 'whole') return;
  const { requirements } = hideDemand(contacted, hiding);
  if (requirements.length === 0) return;
  await deps.demands.keep(placeOf(input.agentId, input.caller.universe), {
    requirements,
    originals: hiding.originals(),
  });
};

/**
 * Records the settlement that the answer to a call tells of, attributed to its caller. Answers its log position; null where nothing was
 * recorded.
 */
export const settleCall = async (
  { deps, input, context, exchange }: RecordedCall,
  contacted: Contacted,
  sent: SentPayment,
): Promise<bigint | null> => {
  const settlement = settlementOf({
    payment: sentPaymentOf(sent.headers),
    statusCode: contacted.statusCode,
    responseHeaders: contacted.headers,
    requirements: sent.requirements,
  });
  if (settlement === null) return null;
  const callRef = exchange?.transactionId ?? null;
  const { agentId: callerAgentId, universe } = input.caller;
  return recordSettlement(
    deps,
    settlement,
    {
      universe,
      receiverAgentId: input.agentId,
      callerAgentId,
      callRef,
      // An MCP `initialize` is no exchange, but its caller is authenticated all the same.
      attribution: callRef === null ? 'bearer' : 'call_ref',
      via: 'call',
      headers: sent.headers,
    },
    {
      correlationId: context.correlationId,
      causationId: context.correlationId,
      actor: { kind: 'agent', id: callerAgentId },
      ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    },
  );
};
