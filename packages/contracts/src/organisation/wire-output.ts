import { z } from 'zod';
import type { OwnerAgent, RatingRecord } from '../agent/views.ts';
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

const nullableText = z.string().nullable();

/** The profile with what its owner knows besides: routing in the owner's form, universe and pair. */
export const ownerAgentProfile = agentProfile
  .extend({
    routing: ownerTrustObject.shape.routing,
    is_sandbox: ownerTrustObject.shape.is_sandbox,
    related_agent_id: ownerTrustObject.shape.related_agent_id,
  })
  .meta({ id: 'OwnerAgentProfile' });
type OwnerAgentProfile = AgentProfile & OwnerTrustObject;

export const ownerAgentProfileToWire = (
  agent: OwnerAgent,
  ratings: RatingRecord[],
  baseUrl: string,
): OwnerAgentProfile => ({
  ...agentProfileToWire(agent, ratings, baseUrl),
  ...ownerTrustObjectToWire(agent, baseUrl),
});

export const orgPaymentWire = z
  .object({
    transaction_id: z.string(),
    receiver_agent_id: z.string(),
    caller_agent_id: nullableText,
    amount: z
      .number()
      .nullable()
      .meta({ description: "In the currency's units where its decimals are known, else in atomic units." }),
    amount_atomic: nullableText,
    currency: nullableText,
    asset: nullableText,
    settlement_rail: z.string(),
    network: nullableText,
    payee_address: nullableText,
    confirmation_ref: nullableText.meta({ description: 'On-chain transaction reference.' }),
    block_number: z.int().nullable(),
    settled_at: nullableText,
  })
  .meta({ id: 'OrgPayment' });
type OrgPaymentWire = z.infer<typeof orgPaymentWire>;

export const orgPaymentToWire = (payment: OrgPayment): OrgPaymentWire => ({
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
});
