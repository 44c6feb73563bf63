import { z } from 'zod';
import { headerName } from '../agent/fields.ts';
import { trustObject } from '../agent/wire-output.ts';
import { anyJsonObject, boundedRecord } from '../http/bounded-record.ts';
import { errorBody } from '../errors.ts';
import { idempotencyErrors, idempotencyHeader } from '../http/idempotency-header.ts';
import { route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';

export const callResponse = z
  .object({
    agent_id: z.string(),
    transaction_id: z.string(),
    status_code: z.int(),
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string()]),
    response_headers: z.record(z.string(), z.string()).nullable(),
    review_reminder: z.string().nullable(),
    fallback_suggestion: z.string().nullable(),
    mcp_session_id: z.string().nullable(),
    next_step: z.string().nullable(),
    pay_via: z.string().optional(),
  })
  .meta({ id: 'CallResponse' });
export type CallResponse = z.infer<typeof callResponse>;

/** A call whose agent could not be reached is an exchange all the same, and may be reviewed. */
export const failedCall = errorBody
  .extend({
    transaction_id: z.string().optional(),
    review_reminder: z.string().optional(),
    fallback_suggestion: z.string().nullable().optional(),
  })
  .meta({ id: 'FailedCall' });

/** What HTTP allows in a header's value (RFC 9110 §5.5): no line breaks, no other controls. */
const headerValue = text(limits.forwardedHeaderBytesMax).refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/u.test(value), {
  message: 'must be a header value',
});

const lineBytes = ([name, value]: [string, string]): number => name.length + ': '.length + value.length + '\r\n'.length;

/** Bounded as a whole too: more than the outbound client sends is a fault of the request, not of the agent. */
const forwardedHeaders = boundedRecord(headerName, headerValue, limits.forwardedHeadersMax).refine(
  (headers) =>
    Object.entries(headers).reduce((sum, header) => sum + lineBytes(header), 0) <= limits.forwardedHeadersBytesMax,
  { message: `must have at most ${limits.forwardedHeadersBytesMax} bytes together` },
);

/** A call that its Idempotency-Key was sent with before, and of whose answer only this is known. */
export const callAlreadyMade = errorBody
  .extend({
    transaction_id: z.string().optional(),
    outcome: z.enum(['completed', 'abandoned']).optional(),
    status_code: z.int().nullable().optional(),
    review_reminder: z.string().optional(),
  })
  .meta({ id: 'CallAlreadyMade' });

export const callRequest = z
  .object({
    caller_agent_id: agentId,
    agent_id: agentId,
    /** Its own shape depends on the target's protocol; the proxy holds it to that, on the bytes as they came. */
    message: anyJsonObject,
    forwarded_headers: forwardedHeaders.nullable().optional(),
    method: z.enum(['GET', 'POST']).nullable().optional(),
  })
  .meta({ id: 'CallRequest' });

export const callRoute = route({
  method: 'POST',
  path: '/call',
  operationId: 'callAgent',
  summary: 'Send a message to an agent through the registry',
  description: 'The endpoint of the agent stays hidden and the exchange is on record before the agent is contacted.',
  tag: 'Exchange',
  credentials: ['agent', 'signature'],
  bodyBytesMax: limits.callBodyBytesMax,
  headers: {
    ...idempotencyHeader,
    'X-Payment': 'An x402 payment (version 1), passed on to the agent.',
    'PAYMENT-SIGNATURE': 'An x402 payment (version 2), passed on to the agent.',
    'Mcp-Session-Id': 'Session of an mcp target, both ways.',
  },
  body: callRequest,
  answers: {
    200: {
      description: 'The agent answered; its status is in status_code. With message/stream: server-sent events.',
      body: callResponse,
      headers: {
        'X-Registry-Transaction-Id': 'The transaction, on streamed answers.',
        'X-Registry-Status-Code': "The agent's own status, on streamed answers.",
        'X-Registry-Pay-Via':
          'Where to pay, on streamed answers of an agent that wants to be paid; PAYMENT-REQUIRED stands beside it.',
        'Mcp-Session-Id': 'Session of an mcp target.',
      },
      streamedAs: 'text/event-stream',
    },
  },
  errorBodies: { 409: callAlreadyMade, 502: failedCall },
  errors: [
    'validation_failed',
    'credential_required',
    'invalid_credential',
    'agent_not_found',
    'caller_mismatch',
    'no_endpoint',
    'invalid_message',
    'call_already_made',
    ...idempotencyErrors,
    'downstream_failed',
    'target_unavailable',
    'target_busy',
    'rate_limited',
    'too_many_calls',
    'read_model_behind',
  ],
});

export const reviewRoute = route({
  method: 'POST',
  path: '/review',
  operationId: 'reviewExchange',
  summary: 'Rate an exchange',
  tag: 'Exchange',
  credentials: ['agent', 'signature'],
  headers: idempotencyHeader,
  body: z
    .object({
      transaction_id: text(limits.agentIdCharsMax, 1).nullable().optional(),
      caller_agent_id: agentId,
      receiver_agent_id: agentId,
      success: z.boolean(),
      score: z.int().min(limits.reviewScoreMin).max(limits.reviewScoreMax),
    })
    .meta({ id: 'ReviewRequest' }),
  answers: { 200: { description: 'The trust object of the receiver after the review.', body: trustObject } },
  errors: [
    'validation_failed',
    'credential_required',
    'invalid_credential',
    'agent_not_found',
    'caller_mismatch',
    'self_review',
    'caller_trust_too_low',
    'same_org_domain',
    'no_unreviewed_exchange',
    'already_reviewed',
    ...idempotencyErrors,
    'write_conflict',
    'rate_limited',
    'read_model_behind',
  ],
});
