import { nullableText } from '../text.ts';
import { z } from 'zod';
import type { OwnerProfiledAgent, RatingRecord } from '../agent/views.ts';
import {
  type AgentProfile,
  agentProfile,
  agentProfileToWire,
  type OwnerTrustObject,
  ownerTrustObject,
  ownerTrustObjectToWire,
} from '../agent/wire-output.ts';
import type { OrgPayment } from './rpc.ts';

/** The wire's form of what an organisation sees of its own. */

/** The profile with what its owner knows besides: routing in the owner's form, universe and pair. */
export const ownerAgentProfile = agentProfile
  .extend({
    routing: ownerTrustObject.shape.routing,
    is_sandbox: ownerTrustObject.shape.is_sandbox,
    related_agent_id: ownerTrustObject.shape.related_agent_id,
  })
  .meta({ id: 'OwnerAgentProfile', description: 'A profile with what its owner alone may know.' });
type OwnerAgentProfile = AgentProfile & OwnerTrustObject;

export function ownerAgentProfileToWire(
  agent: OwnerProfiledAgent,
  ratings: RatingRecord[],
  baseUrl: string,
): OwnerAgentProfile {
  return {
    ...agentProfileToWire(agent, ratings, baseUrl),
    ...ownerTrustObjectToWire(agent, baseUrl),
  };
}

export const orgPaymentWire = z
  .object({
    transaction_id: z.string().describe('Names the settlement.'),
    receiver_agent_id: z.string().describe('Who was paid.'),
    caller_agent_id: nullableText.describe('Who paid, where that was proven.'),
    amount: z
      .number()
      .nullable()
      .describe("In the currency's units where its decimals are known, else in atomic units."),
    amount_atomic: nullableText.describe('The amount in atomic units, as decimal digits.'),
    currency: nullableText.describe("The symbol of what was paid where it is known, else the asset's address."),
    asset: nullableText.describe('What was paid, as the payment calls it.'),
    settlement_rail: z.string().describe('How it was paid: x402.'),
    network: nullableText.describe('The network that it went over.'),
    payee_address: nullableText.describe('The address that it went to.'),
    confirmation_ref: nullableText.describe('On-chain transaction reference.'),
    block_number: z.int().nullable().describe('The block of that transaction, where it was told.'),
    settled_at: nullableText.describe('When the agent told that it was settled, RFC 3339 in UTC.'),
  })
  .meta({ id: 'OrgPayment', description: 'A payment that an agent received through the registry.' });
type OrgPaymentWire = z.infer<typeof orgPaymentWire>;

export function orgPaymentToWire(payment: OrgPayment): OrgPaymentWire {
  return {
    transaction_id: payment.transactionId,
    receiver_agent_id: payment.receiverAgentId,
    caller_agent_id: payment.callerAgentId,
    amount: payment.amount,
    amount_atomic: payment.amountAtomic,
    currency: payment.currency,
    asset: payment.asset,
    settlement_rail: payment.settlementRail,
    network: payment.network,
    payee_address: payment.payeeAddress,
    confirmation_ref: payment.confirmationRef,
    block_number: payment.blockNumber,
    settled_at: payment.settledAt,
  };
}
