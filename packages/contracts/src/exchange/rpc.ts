import { z } from 'zod';
import { actor, credentialKind } from '../actor.ts';
import { limits } from '../limits.ts';
import { stream, unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';

/**
 * Carries one call to an agent. The request body is the `message` object's JSON as the caller sent it.
 *
 * Down come the head (when the agent has answered its first byte), the agent's body as bytes, and a trailer when the exchange's end
 * is durable. A call whose agent could not be reached refuses with `downstream_failed`, `data.transactionId` and `data.position`.
 * One whose agent is not tried now, so that nothing was contacted nor recorded, refuses with `target_unavailable` (`data.retryAfterMs`,
 * `data.fallbackAgentId`) or `target_busy` (`data.retryAfterMs`).
 * One whose command was given before is not made again: `downstream_failed` as the first time, or `call_already_made` or
 * `idempotency_key_in_use`, with `data.transactionId`.
 * Other refusals: agent_not_found, caller_mismatch, no_endpoint, invalid_message, overloaded.
 */
export const executeCall = stream('call-proxy', 'execute_call', {
  input: z.object({
    /** The authenticated agent and its universe. */
    caller: z.object({ agentId: z.string(), universe, credentials: z.array(credentialKind).optional() }),
    /** As claimed in the body; anything but `caller.agentId` is a caller_mismatch, told only once the target is known to exist. */
    callerAgentId: z.string(),
    agentId: z.string(),
    method: z.enum(['GET', 'POST']).nullable(),
    forwardedHeaders: z.record(z.string(), z.string()),
    /** X-Payment and PAYMENT-SIGNATURE as the caller sent them. */
    paymentHeaders: z.record(z.string(), z.string()),
    mcpSessionId: nullableText,
    /** Makes a call that is repeated contact its agent once; null for one that is made once. */
    commandId: z.uuid().nullable().default(null),
  }),
  head: z.object({
    /** Null for an MCP `initialize`, which is no exchange. */
    transactionId: nullableText,
    statusCode: z.number().int(),
    /** The agent's headers that may be shown; names in lower case. */
    responseHeaders: z.record(z.string(), z.string()),
    contentType: nullableText,
    /** True when the body is to be passed on as server-sent events as it comes. */
    streaming: z.boolean(),
    mcpSessionId: nullableText,
    /** Log position of the exchange's end where that stands before the head is sent, as it does for all but events that are still coming. */
    position: positionText.nullable().default(null),
  }),
  trailer: z.object({
    /** Log position of the exchange's end; a reader that has reached it sees the exchange. */
    position: positionText.nullable(),
    /** The best other agent to try, after a 5xx. */
    fallbackAgentId: nullableText,
    /** False when the agent answered and the log did not take the exchange's end: it will be ended as abandoned. */
    endIsRecorded: z.boolean().default(true),
  }),
});

/**
 * Records the caller's review of an exchange. Without a `transactionId` the newest unreviewed exchange of the pair is meant; a command
 * with an id must name its exchange, since the newest one changes once it is reviewed, and without one there is none. Refusals: agent_not_found, self_review, caller_trust_too_low, same_org_domain,
 * no_unreviewed_exchange, already_reviewed.
 */
export const submitReview = unary('registry-write', 'submit_review', {
  input: z.object({
    callerAgentId: z.string(),
    callerUniverse: universe,
    receiverAgentId: z.string(),
    transactionId: nullableText,
    success: z.boolean(),
    score: z.number().int().min(limits.reviewScoreMin).max(limits.reviewScoreMax),
    /** Makes a review that is repeated find its first outcome; null for one that is given once. */
    commandId: z.uuid().nullable(),
    actor,
  }),
  output: z.object({ transactionId: z.string(), position: positionText }),
});

/** The newest ended and unreviewed exchange of a pair, or null. */
export const findUnreviewedExchange = unary('trust-projection', 'find_unreviewed_exchange', {
  input: z.object({ callerAgentId: z.string(), receiverAgentId: z.string(), universe }),
  output: z.object({ transactionId: nullableText }),
});

/**
 * Exchanges that are open for longer than their proxies keep any, longest overdue first: those proxies are gone. The read model may be
 * behind, so whoever ends one of them looks into its stream first.
 */
export const listOverdueExchanges = unary('trust-projection', 'list_overdue_exchanges', {
  input: z.object({ countMax: z.number().int().positive().max(limits.overdueExchangesPageMax) }),
  output: z.object({ transactionIds: z.array(z.string()) }),
});
