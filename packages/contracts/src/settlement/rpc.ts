import { z } from 'zod';
import { agentBlock } from '../agent/block.ts';
import { orgPayment } from '../organisation/rpc.ts';
import { stream, unary } from '../rpc/method.ts';
import { moment, nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';

/** The basis of an attribution: the referenced call, the payer's own key, or nothing. */
export const attribution = z.enum(['call_ref', 'bearer', 'none']);
export type Attribution = z.infer<typeof attribution>;

/**
 * Relays one payment-carrying request to an agent's endpoint. The request body is the client's, any bytes.
 *
 * The answer has a head (a settlement in it is durable by then) and the agent's streamed body. Refusals: agent_not_found, caller_mismatch,
 * no_endpoint, validation_failed (the address gets too long), payload_too_large, downstream_failed, overloaded, and `target_unavailable` and
 * `target_busy` (`data.retryAfterMs`) if nothing was sent.
 */
export const relayPayment = stream('pay-proxy', 'relay_payment', {
  input: z.object({
    agentId: z.string(),
    method: z.enum(['GET', 'POST']),
    /** Whose key the request carries. */
    payer: z.object({ agentId: z.string(), universe }).nullable(),
    /** Without a key: distinguishes anonymous clients without disclosing an address. */
    anonymousId: nullableText.default(null),
    /** As claimed in the query; an agent other than that of the key is a caller_mismatch, reported only if the target exists. */
    callerAgentId: nullableText,
    callRef: nullableText,
    /** The raw query without `?`; may be empty. */
    query: z.string(),
    /** The client's headers, names in lower case. The proxy decides which to forward. */
    headers: z.record(z.string(), z.string()),
    hasBody: z.boolean(),
  }),
  head: z.object({
    statusCode: z.number().int(),
    /** The agent's headers that may be shown; names in lower case. */
    headers: z.record(z.string(), z.string()),
    attribution,
    /** Log position of a recorded settlement; a reader that has reached it sees the settlement. */
    position: positionText.nullable(),
  }),
  trailer: z.object({}),
});

/** The parties of an exchange in any state, or null for an unknown one. */
export const getExchangeParties = unary('trust-projection', 'get_exchange_parties', {
  input: z.object({ transactionId: z.string() }),
  output: z.object({
    parties: z
      .object({
        callerAgentId: z.string(),
        receiverAgentId: z.string(),
        universe,
        callerBlock: agentBlock.nullable().default(null),
      })
      .nullable(),
  }),
});

/** A settlement as operators see it. */
export const settlement = orgPayment.extend({
  orgName: nullableText.describe("The receiver's organisation."),
  recordedAt: moment('When it was recorded'),
  callRef: nullableText.describe('The transaction_id of the call in which the payment was requested or made.'),
});
export type Settlement = z.infer<typeof settlement>;

/** All settlements in all universes, newest first; `orgName` picks one organisation's, exact but for case. */
export const listSettlements = unary('trust-projection', 'list_settlements', {
  input: z.object({ orgName: nullableText, limit: z.number(), offset: z.number() }),
  output: z.object({ settlements: z.array(settlement), total: z.number() }),
});
