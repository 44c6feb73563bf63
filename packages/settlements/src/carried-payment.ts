import { createHash } from 'node:crypto';
import {
  type Redaction,
  paymentHeaders,
  paymentIdentityOf,
  paymentRequired,
  type Requirement,
  restorePaymentHeaders,
  type SentPayment,
  sentPaymentOf,
} from '@agent-trust/x402';
import type { DemandPlace, KeptDemands } from './kept-demands.ts';

/** A request that may carry a payment, as it goes out to the agent. */
export type CarriedPayment = {
  /** The request's headers, a payment among them in the agent's own words; names in lower case. */
  headers: Record<string, string>;
  /** Null without one, and for what stands in a payment's header and is none. */
  payment: SentPayment | null;
  /** SHA-256 of what was signed; the same whichever way the payment takes. Null where `payment` is. */
  paymentDigest: string | null;
  /** What the agent asked for when it was last asked. */
  requirements: readonly Requirement[];
};

/**
 * Makes a request's payment ready for the agent; without one nothing is looked up.
 *
 * @param headers as the client sent them; names in lower case.
 * @param address `payBase` stands in the payment where `target`, the address that is asked, or another of the agent's texts stood.
 */
export async function carryPayment(
  demands: KeptDemands,
  headers: Record<string, string>,
  place: DemandPlace,
  address: { payBase: string; target: string },
): Promise<CarriedPayment> {
  const hasHeader = Object.values(paymentHeaders).some((name) => headers[name] !== undefined);
  if (!hasHeader) return { headers, payment: null, paymentDigest: null, requirements: [] };
  const demand = await demands.find(place);
  const originals = demand.originals.length > 0 ? demand.originals : [address.target];
  const restored = restorePaymentHeaders(headers, address.payBase, originals);
  // What is no payment goes out all the same: it is for the agent to refuse it.
  const identity = paymentIdentityOf(headers, address.payBase);
  return {
    headers: restored,
    // With the agent's own words in it, one may have become too long to be read.
    payment: sentPaymentOf(restored) ?? sentPaymentOf(headers),
    paymentDigest: identity === null ? null : createHash('sha256').update(identity).digest('hex'),
    requirements: demand.requirements,
  };
}

/** Keeps what a demand asks for, so that whichever proxy gets its payment knows. To be called before the client hears of it. */
export async function keepDemand(
  demands: KeptDemands,
  place: DemandPlace,
  answer: { statusCode: number; requirements: Requirement[] },
  redaction: Redaction,
): Promise<void> {
  const { statusCode, requirements } = answer;
  if (statusCode !== paymentRequired || requirements.length === 0) return;
  await demands.keep(place, { requirements, originals: redaction.originals() });
}
