import { z } from 'zod';
import { actor } from '../actor.ts';
import { namedKeyIdentity } from '../organisation-key/rpc.ts';
import { unary } from '../rpc/method.ts';
import { nullableMoment, nullableText, positionText, sha256Hex } from '../text.ts';
import { universe } from '../universe.ts';

/** Creates an organisation with a key for each universe. Refusal: org_name_taken. */
export const createOrganisation = unary('registry-write', 'create_organisation', {
  input: z.object({
    orgName: z.string(),
    contactEmail: z.string(),
    productionKeyHash: sha256Hex,
    sandboxKeyHash: sha256Hex,
    actor,
  }),
  output: z.object({ orgId: z.string(), orgName: z.string(), createdAt: z.string(), position: positionText }),
});

export const orgIdentity = z.object({
  orgId: z.string(),
  orgName: z.string(),
  universe,
  /** Null for the organisation's own key of the universe, which may do everything. */
  namedKey: namedKeyIdentity.nullable().default(null),
});
export type OrgIdentity = z.infer<typeof orgIdentity>;

/**
 * The organisation and universe of an org key's SHA-256, or null. Named keys are found only `withNamedKeys`: a gateway that does not know of
 * scopes would let them do everything.
 */
export const authenticateOrgKey = unary('trust-projection', 'authenticate_org_key', {
  input: z.object({
    keyHash: sha256Hex,
    withNamedKeys: z.boolean().default(false),
    atLeast: positionText.optional(),
  }),
  output: z.object({
    organisation: orgIdentity.extend({ isDisabled: z.boolean().default(false) }).nullable(),
  }),
});

/**
 * Commands for the production key alone. `presentedKeyHash` must still be current at the decision: a key replaced after the gateway's
 * lookup is refused (invalid_api_key), and so is the later of two concurrent replacements, instead of silently undoing the first.
 */
const byProductionKey = { orgId: z.string(), presentedKeyHash: sha256Hex, actor };

/** Issues a sandbox key. Refusals: invalid_api_key, sandbox_key_exists. */
export const issueSandboxKey = unary('registry-write', 'issue_sandbox_key', {
  input: z.object({ ...byProductionKey, sandboxKeyHash: sha256Hex }),
  output: z.object({ orgName: z.string(), createdAt: z.string(), position: positionText }),
});

/** Revokes the sandbox key; the sandbox and its agents stay. Refusals: invalid_api_key, sandbox_key_absent. */
export const revokeSandboxKey = unary('registry-write', 'revoke_sandbox_key', {
  input: z.object(byProductionKey),
  output: z.object({ orgName: z.string(), revokedAt: z.string(), position: positionText }),
});

/** Replaces the production key that the request was made with. Refusal: invalid_api_key. */
export const replaceProductionKey = unary('registry-write', 'replace_production_key', {
  input: z.object({ ...byProductionKey, productionKeyHash: sha256Hex }),
  output: z.object({ orgName: z.string(), replacedAt: z.string(), position: positionText }),
});

/** A settlement that an agent of the organisation received through the registry. */
export const orgPayment = z.object({
  transactionId: z.string().describe('Identifies the settlement.'),
  receiverAgentId: z.string().describe('Who was paid.'),
  callerAgentId: nullableText.describe('Who paid, if that was proven.'),
  amount: z.number().nullable().describe("In the currency's units if its decimals are known, else in atomic units."),
  amountAtomic: nullableText.describe('The amount in atomic units, as decimal digits.'),
  currency: nullableText.describe("The symbol of the currency if it is known, else the asset's address."),
  asset: nullableText.describe('What was paid, as the payment names it.'),
  settlementRail: z.string().describe('How it was paid: x402.'),
  network: nullableText.describe('The network of the payment.'),
  payeeAddress: nullableText.describe('The address that received it.'),
  confirmationRef: nullableText.describe('On-chain transaction reference.'),
  blockNumber: z.int().nullable().describe('The block of that transaction, if the agent reported it.'),
  settledAt: nullableMoment('When the agent reported the settlement'),
});
export type OrgPayment = z.infer<typeof orgPayment>;

/** Settlements of an organisation's agents in one universe, newest first. */
export const listOrgPayments = unary('trust-projection', 'list_org_payments', {
  input: z.object({ orgId: z.string(), universe, limit: z.number(), offset: z.number() }),
  output: z.object({ payments: z.array(orgPayment), total: z.number() }),
});

export const orgPaymentTotal = z.object({
  network: orgPayment.shape.network,
  asset: orgPayment.shape.asset,
  currency: orgPayment.shape.currency,
  paymentCount: z.int().describe('Number of payments.'),
  amount: z
    .number()
    .nullable()
    .describe(
      'Their sum, as `amount` of a payment; null if none says how much it was, or if some are in units and others in atomic units.',
    ),
  amountAtomic: nullableText.describe('Their exact sum in atomic units, as decimal digits.'),
  lastSettledAt: nullableMoment('When the agent reported the last of them'),
});

/** What an organisation's agents received in one universe, by network and asset, those with the most payments first. */
export const getOrgPaymentTotals = unary('trust-projection', 'get_org_payment_totals', {
  input: z.object({ orgId: z.string(), universe }),
  output: z.object({ totals: z.array(orgPaymentTotal) }),
});
