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

export type CarriedPayment = {
  /** Names in lower case. A payment among them has the agent's own texts in it. */
  headers: Record<string, string>;
  /** Null if there is none, or the header of a payment holds something else. */
  payment: SentPayment | null;
  /** SHA-256 of what was signed; the same for every route of the payment. Null if `payment` is. */
  paymentDigest: string | null;
  requirements: readonly Requirement[];
};

/**
 * Prepares a request's payment for the agent; without a payment nothing is looked up.
 *
 * @param headers as the client sent them; names in lower case.
 * @param address in the payment, `payBase` replaced one of the agent's texts: those of the kept demand, else `target`, the requested address.
 */
export async function carryPayment(
  demands: KeptDemands,
  headers: Record<string, string>,
  place: DemandPlace,
  address: { payBase: string; target: string },
): Promise<CarriedPayment> {
  const hasHeader = Object.values(paymentHeaders).some((name) => headers[name] !== undefined);
  if (!hasHeader) return { headers, payment: null, paymentDigest: null, requirements: [] };
  const { originals, requirements } = await demands.find(place);
  const restored = restorePaymentHeaders(headers, address.payBase, originals.length > 0 ? originals : [address.target]);
  // A header that is no payment is sent all the same: the agent refuses it.
  const identity = paymentIdentityOf(headers, address.payBase);
  return {
    headers: restored,
    // A restored payment may be too long to be read.
    payment: sentPaymentOf(restored) ?? sentPaymentOf(headers),
    paymentDigest: identity === null ? null : createHash('sha256').update(identity).digest('hex'),
    requirements,
  };
}

/** Keeps a demand for whichever proxy gets its payment. Call it before the client sees the demand. */
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
