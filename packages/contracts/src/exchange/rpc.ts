import { z } from 'zod';
import { actor, credentialKind } from '../actor.ts';
import { ownerAuthority } from '../agent/commands.ts';
import { commandIds } from '../command-id.ts';
import { limits } from '../limits.ts';
import { stream, unary } from '../rpc/method.ts';
import { nullableText, positionText } from '../text.ts';
import { universe } from '../universe.ts';

/**
 * Carries one call to an agent. The request body is the `message` object's JSON as the caller sent it.
 *
 * The answer has a head (at the agent's first byte), the agent's body as bytes, and a trailer once the exchange's end is durable. Refusals:
 * - `downstream_failed` with `data.transactionId` and `data.position`: the agent could not be reached;
 * - `target_unavailable` (`data.retryAfterMs`, `data.fallbackAgentId`) or `target_busy` (`data.retryAfterMs`): nothing was sent or recorded;
 * - for a repeated command `downstream_failed` as the first time, `call_already_made` or `idempotency_key_in_use`, with `data.transactionId`;
 * - agent_not_found, caller_mismatch, no_endpoint, invalid_message, overloaded.
 */
export const executeCall = stream('call-proxy', 'execute_call', {
  input: z.object({
    /** The authenticated agent and its universe. */
    caller: z.object({
      agentId: z.string(),
      orgId: nullableText.default(null),
      universe,
      credentials: z.array(credentialKind).optional(),
    }),
    /** Of the request body. */
    messageBytes: z.number().int().nonnegative().default(0),
    /** As claimed in the body; if not `caller.agentId`, a caller_mismatch, reported only if the target exists. */
    callerAgentId: z.string(),
    agentId: z.string(),
    method: z.enum(['GET', 'POST']).nullable(),
    forwardedHeaders: z.record(z.string(), z.string()),
    /** X-Payment and PAYMENT-SIGNATURE as the caller sent them. */
    paymentHeaders: z.record(z.string(), z.string()),
    mcpSessionId: nullableText,
    /** Make a repeated call contact its agent once. */
    ...commandIds,
  }),
  head: z.object({
    /** Null for an MCP `initialize`, which is no exchange. */
    transactionId: nullableText,
    statusCode: z.number().int(),
    /** The agent's headers that may be shown; names in lower case. */
    responseHeaders: z.record(z.string(), z.string()),
    contentType: nullableText,
    /** Whether to forward the body as server-sent events. */
    streaming: z.boolean(),
    mcpSessionId: nullableText,
    /** Of the body, if all of it is there; null for a stream. */
    bodyBytes: z.number().int().nonnegative().nullable().default(null),
    /** Log position of the exchange's end; null if it is recorded only after the head, for an open stream. */
    position: positionText.nullable().default(null),
  }),
  trailer: z.object({
    /** Log position of the exchange's end; a reader that has reached it sees the exchange. */
    position: positionText.nullable(),
    /** The best other agent to try, after a 5xx. */
    fallbackAgentId: nullableText,
    /** False if the agent answered but the log did not accept the exchange's end: it will be ended as abandoned. */
    endIsRecorded: z.boolean().default(true),
  }),
});

/**
 * Records the caller's review of an exchange, by default the newest unreviewed one of the pair. A command with an id must name its exchange,
 * since the review changes which one is the newest. Refusals: agent_not_found, self_review, caller_trust_too_low, same_org_domain,
 * no_unreviewed_exchange, already_reviewed, exchange_archived.
 */
export const submitReview = unary('registry-write', 'submit_review', {
  input: z.object({
    callerAgentId: z.string(),
    callerUniverse: universe,
    receiverAgentId: z.string(),
    transactionId: nullableText,
    success: z.boolean(),
    score: z.number().int().min(limits.reviewScoreMin).max(limits.reviewScoreMax),
    ...commandIds,
    actor,
  }),
  output: z.object({ transactionId: z.string(), position: positionText }),
});

/**
 * Records the answer of an agent's owner to a review of the agent, once. Refusals: agent_not_found, not_owner, wrong_universe, agent_suspended,
 * agent_retired, review_not_found (also for a review of another agent), already_answered.
 */
export const answerReview = unary('registry-write', 'answer_review', {
  input: z.object({
    agentId: z.string(),
    authority: ownerAuthority,
    transactionId: z.string(),
    text: z.string(),
    ...commandIds,
    actor,
  }),
  output: z.object({ answeredAt: z.string(), position: positionText }),
});

const reviewParty = z.object({ universe, orgId: nullableText, orgDomain: nullableText });

/**
 * What a review is decided on, as of one moment: both agents, null for an unknown one, and their exchange, by default the newest; null if it
 * has not ended, is reviewed, or is not of this pair and universe. The read model may be behind: check the log before refusing a review.
 */
export const getReviewFacts = unary('trust-projection', 'get_review_facts', {
  input: z.object({ callerAgentId: z.string(), receiverAgentId: z.string(), universe, transactionId: nullableText }),
  output: z.object({
    /** The moment: every event up to this position is in the answer; null before the first. */
    position: positionText.nullable(),
    /** What the review freezes of its reviewer. */
    reviewer: reviewParty.extend({ trustScore: z.number(), roots: z.record(z.string(), z.number()) }).nullable(),
    receiver: reviewParty.nullable(),
    transactionId: nullableText,
    /** Whether the exchange that was asked for has left the log: nobody can review it any more. */
    isArchived: z.boolean(),
  }),
});

/** The exchange that a command with one of these ids has reviewed; else the newest ended and unreviewed one of the pair, or null. */
export const findUnreviewedExchange = unary('trust-projection', 'find_unreviewed_exchange', {
  input: z.object({ callerAgentId: z.string(), receiverAgentId: z.string(), universe, ...commandIds }),
  output: z.object({ transactionId: nullableText }),
});

/** Exchanges open for longer than any proxy keeps one, longest overdue first. The read model may be behind: check the stream before ending one. */
export const listOverdueExchanges = unary('trust-projection', 'list_overdue_exchanges', {
  input: z.object({ countMax: z.number().int().positive().max(limits.overdueExchangesPageMax) }),
  output: z.object({ transactionIds: z.array(z.string()) }),
});
