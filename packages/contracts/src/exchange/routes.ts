import { z } from 'zod';
import { exampleBaseUrl, exampleIds, exampleTrustObject } from '../agent/examples.ts';
import { headerName } from '../agent/fields.ts';
import { trustObject } from '../agent/wire-output.ts';
import { anyJsonObject, boundedRecord } from '../http/bounded-record.ts';
import { errorBody } from '../errors.ts';
import { idempotencyHeader, integerHeader, textHeader } from '../http/headers.ts';
import { commandErrors, answer, type Headers, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, moment, nullableText, statement, text } from '../text.ts';
import {
  callRequestExamples,
  callResponseExamples,
  exampleEvents,
  exampleMcpSession,
  exampleReminder,
} from './examples.ts';

export const callResponse = z
  .object({
    agent_id: z.string().describe('The agent that answered.'),
    transaction_id: z
      .string()
      .describe('Identifies the exchange, for POST /review and as call_ref of /pay. Empty for an MCP initialize.'),
    status_code: z.int().describe("The agent's own HTTP status."),
    body: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string()])
      .describe("The agent's answer: its JSON object or array, its text, or its bytes in base64."),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe("The agent's headers that may be shown, by lower-case names."),
    review_reminder: nullableText.describe('How to rate this exchange.'),
    fallback_suggestion: nullableText.describe('After a failure of the agent: another agent with the same capability.'),
    mcp_session_id: nullableText.describe(
      'The session of an mcp target: send it as Mcp-Session-Id with the next call.',
    ),
    next_step: nullableText.describe('What to do if the agent requires payment or credentials.'),
    pay_via: z.string().optional().describe('After a 402 of the agent: where to pay for this call.'),
  })
  .meta({ id: 'CallResponse', description: 'What the agent answered, and what to do with it.' });
export type CallResponse = z.infer<typeof callResponse>;

/** A call whose agent could not be reached is still an exchange, and may be reviewed. */
export const failedCall = errorBody
  .extend({
    transaction_id: z.string().optional().describe('The exchange, if the agent was contacted.'),
    review_reminder: z.string().optional().describe('How to rate it nevertheless.'),
    fallback_suggestion: z.string().nullish().describe('Another agent with the same capability.'),
  })
  .meta({ id: 'FailedCall', description: 'A call that the agent did not answer, or that was not sent to it.' });

/** An agent's answer cannot be requested again, so the refusal in its place contains it. */
export const unsettledCall = errorBody.extend(callResponse.partial().shape).meta({
  id: 'UnsettledCall',
  description: "A refusal in place of an answer; if the agent has answered, it contains the agent's answer.",
});

/** What HTTP allows in a header's value (RFC 9110 §5.5): no line breaks, no other controls. */
const headerValue = text(limits.forwardedHeaderBytesMax).refine((value) => /^[\t\x20-\x7e\x80-\xff]*$/u.test(value), {
  message: 'must be a header value',
});

const lineBytes = ([name, value]: [string, string]): number => name.length + ': '.length + value.length + '\r\n'.length;

/** Also bounded in total: more than the outbound client sends is a fault of the request, not of the agent. */
const forwardedHeaders = boundedRecord(headerName, headerValue, limits.forwardedHeadersMax).refine(
  (headers) =>
    Object.entries(headers).reduce((sum, header) => sum + lineBytes(header), 0) <= limits.forwardedHeadersBytesMax,
  { message: `must have at most ${limits.forwardedHeadersBytesMax} bytes together` },
);

export const callAlreadyMade = errorBody
  .extend({
    transaction_id: z.string().optional().describe('The exchange of the first call.'),
    outcome: z
      .enum(['completed', 'abandoned'])
      .optional()
      .describe('Whether the agent answered it, or the outcome is unknown.'),
    status_code: z.int().nullish().describe("The agent's own HTTP status then."),
    review_reminder: z.string().optional().describe('How to rate it.'),
  })
  .meta({ id: 'CallAlreadyMade', description: 'What is known of a call that is not repeated.' });

export const callRequest = z
  .object({
    caller_agent_id: agentId.describe('Who calls: the agent of the credential.'),
    agent_id: agentId.describe('Who is called.'),
    /** The shape depends on the target's protocol; the proxy validates the original bytes. */
    message: anyJsonObject.meta({
      type: 'object',
      additionalProperties: true,
      description:
        'The message, in the shape of the message_protocol of the agent. a2a: a JSON-RPC 2.0 envelope with the method message/send or message/stream and ' +
        'params.message {role: "user", parts: [...]}; a part is {kind, content_type, content}: text with text/plain and a string, data with ' +
        'application/json and an object, file with any type and base64 or a URL. Parts as A2A SDKs send them ({kind: "text", text}, {kind: "data", data}, {kind: "file", file}) are taken too. mcp: any JSON-RPC 2.0 message. raw: any object.',
    }),
    forwarded_headers: forwardedHeaders
      .nullish()
      .describe(
        'Headers for the agent, such as its own credentials. Headers of the connection, cookies, payments and signatures, and any with a registry key, are dropped.',
      ),
    method: z
      .enum(['GET', 'POST'])
      .nullish()
      .describe("HTTP method for plain endpoints; by default the first of the agent's http_methods."),
  })
  .meta({ id: 'CallRequest', description: 'A message, from whom and to whom.' });

const streamHeaders: Headers = {
  'X-Registry-Transaction-Id': textHeader('On streamed answers: the transaction_id.', exampleIds.transaction),
  'X-Registry-Status-Code': integerHeader("On streamed answers: the agent's own status.", 200),
  'X-Registry-Pay-Via': textHeader(
    'On streamed answers, if the agent requires payment: where to pay.',
    `${exampleBaseUrl}/pay/${exampleIds.translator}?call_ref=${exampleIds.transaction}`,
  ),
  'PAYMENT-REQUIRED': textHeader(
    "On streamed answers: the agent's demand (x402 version 2).",
    'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  ),
  'PAYMENT-RESPONSE': textHeader(
    'On streamed answers: how a payment was settled (x402 version 2).',
    'eyJzdWNjZXNzIjp0cnVlfQ==',
  ),
  'X-PAYMENT-RESPONSE': textHeader(
    'On streamed answers: how a payment was settled (x402 version 1).',
    'eyJzdWNjZXNzIjp0cnVlfQ==',
  ),
  'WWW-Authenticate': textHeader('On streamed answers: the credentials that the agent requires.', 'Bearer'),
  'Retry-After': textHeader("On streamed answers: the agent's own Retry-After.", '30'),
  'Cache-Control': textHeader('On streamed answers: no-store.', 'no-store'),
  'X-Accel-Buffering': textHeader('On streamed answers: asks reverse proxies to forward events at once.', 'no'),
  'Mcp-Session-Id': textHeader('On streamed answers: the session of an mcp target.', exampleMcpSession),
};

export const callRoute = route({
  method: 'POST',
  path: '/call',
  countsAs: 'calls',
  operationId: 'callAgent',
  summary: 'Send a message to an agent through the registry',
  description:
    'The endpoint of the agent stays hidden, and the exchange is recorded before the agent is contacted. Any answer of the agent is a 200 ' +
    'with its own status in status_code; 502 means that it did not answer. With message/stream the answer is a stream of server-sent ' +
    'events, and headers have the other fields. A 402 of the agent comes with pay_via. Rate the result with POST /review.',
  tag: 'Exchange',
  credentials: ['agent', 'signature'],
  bodyBytesMax: limits.callBodyBytesMax,
  headers: {
    ...idempotencyHeader,
    'X-Payment': textHeader('An x402 payment (version 1), passed on to the agent.', 'eyJ4NDAyVmVyc2lvbiI6MX0='),
    'PAYMENT-SIGNATURE': textHeader('An x402 payment (version 2), passed on to the agent.', 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
    'Mcp-Session-Id': textHeader('Session of an mcp target, both ways.', exampleMcpSession),
  },
  body: callRequest,
  bodyExamples: callRequestExamples,
  answers: {
    200: {
      description: 'The agent answered; its status is in status_code. With message/stream: server-sent events.',
      body: callResponse,
      examples: callResponseExamples,
      headers: streamHeaders,
      streamedAs: 'text/event-stream',
      streamExample: exampleEvents,
    },
  },
  errorBodies: { 409: callAlreadyMade, 502: failedCall, 503: unsettledCall },
  errorExamples: {
    downstream_failed: {
      transaction_id: exampleIds.transaction,
      review_reminder: exampleReminder,
      fallback_suggestion: 'initech-translator',
    },
    call_already_made: {
      transaction_id: exampleIds.transaction,
      outcome: 'completed',
      status_code: 200,
      review_reminder: exampleReminder,
    },
    target_unavailable: { fallback_suggestion: 'initech-translator' },
    validation_failed: { detail: [{ loc: ['body', 'caller_agent_id'], msg: 'is required', type: 'invalid_type' }] },
  },
  errors: [
    'agent_not_found',
    'caller_mismatch',
    'no_endpoint',
    'invalid_message',
    'call_already_made',
    'downstream_failed',
    'target_unavailable',
    'target_busy',
    'rate_limited',
    'too_many_calls',
    'read_model_behind',
    'log_rolled_back',
  ],
});

const reviewRequest = z
  .object({
    transaction_id: text(limits.agentIdCharsMax, 1)
      .nullish()
      .describe('The exchange; by default the newest unreviewed one of the pair.'),
    caller_agent_id: agentId.describe('The reviewer: the agent of the credential, which made the call.'),
    receiver_agent_id: agentId.describe('The rated agent.'),
    success: z.boolean().describe('Whether the caller got the requested result.'),
    score: z.int().min(limits.reviewScoreMin).max(limits.reviewScoreMax).describe('1, very bad, to 10, excellent.'),
  })
  .meta({ id: 'ReviewRequest', description: 'A rating of an exchange.' });

export const reviewRoute = route({
  method: 'POST',
  path: '/review',
  operationId: 'reviewExchange',
  summary: 'Rate an exchange',
  description:
    'Once for each exchange, by its caller; without transaction_id it applies to the newest unreviewed exchange of the pair. The caller needs ' +
    'a trust_score of 50 or more and another org_domain than the receiver. Failed calls may be rated too. Ratings determine trust_score.',
  tag: 'Exchange',
  credentials: ['agent', 'signature'],
  headers: idempotencyHeader,
  body: reviewRequest,
  bodyExamples: {
    named: {
      summary: 'The exchange of one call',
      value: {
        transaction_id: exampleIds.transaction,
        caller_agent_id: exampleIds.buyer,
        receiver_agent_id: exampleIds.translator,
        success: true,
        score: 9,
      },
    },
    newest: {
      summary: 'The newest exchange of the pair',
      value: {
        caller_agent_id: exampleIds.buyer,
        receiver_agent_id: exampleIds.translator,
        success: false,
        score: 2,
      },
    },
  },
  answers: { 200: answer('The trust object of the receiver after the review.', trustObject, exampleTrustObject) },
  errorExamples: {
    validation_failed: { detail: [{ loc: ['body', 'score'], msg: 'is required', type: 'invalid_type' }] },
  },
  errors: [
    'agent_not_found',
    'caller_mismatch',
    'self_review',
    'caller_trust_too_low',
    'same_org_domain',
    'no_unreviewed_exchange',
    'already_reviewed',
    'exchange_archived',
    'rate_limited',
    ...commandErrors,
  ],
});

const reviewAnswerRequest = z
  .object({
    agent_id: agentId.describe('The rated agent, for which its owner answers.'),
    transaction_id: text(limits.agentIdCharsMax, 1).describe('The exchange that was rated.'),
    text: statement(limits.reviewAnswerCharsMax).describe(
      'What to say about it, in one line, to everybody who sees the rating.',
    ),
  })
  .meta({ id: 'ReviewAnswerRequest', description: 'An answer to a rating.' });

export const reviewAnsweredWire = z
  .object({
    agent_id: z.string().describe('The rated agent.'),
    transaction_id: z.string().describe('The exchange that was rated.'),
    status: z.literal('answered').describe('The answer is shown beside the rating.'),
    answered_at: moment('When'),
  })
  .meta({ id: 'ReviewAnswered', description: 'That a rating is answered.' });
export type ReviewAnsweredWire = z.infer<typeof reviewAnsweredWire>;

export const answerReviewRoute = route({
  method: 'POST',
  path: '/review/answer',
  operationId: 'answerReview',
  summary: 'Answer a rating of an agent of your own',
  description:
    'Once for each rating, by the rated agent, its organisation or the operator, in the universe of the exchange. The answer stands beside the rating in ' +
    'ratings_received of the profile and changes no score. It cannot be changed or withdrawn; erasing the personal data of the agent erases its text.',
  tag: 'Exchange',
  credentials: ['agent', 'signature', 'organisation', 'admin_token', 'operator'],
  organisationScope: 'register',
  operatorRole: 'admin',
  headers: idempotencyHeader,
  body: reviewAnswerRequest,
  bodyExamples: {
    answer: {
      summary: 'What was done about it',
      value: {
        agent_id: exampleIds.translator,
        transaction_id: exampleIds.transaction,
        text: 'The glossary was outdated; we have corrected it and refunded the call.',
      },
    },
  },
  answers: {
    200: answer('Answered.', reviewAnsweredWire, {
      agent_id: exampleIds.translator,
      transaction_id: exampleIds.transaction,
      status: 'answered',
      answered_at: '2026-01-16T08:00:00.000Z',
    }),
  },
  errorExamples: {
    validation_failed: { detail: [{ loc: ['body', 'text'], msg: 'is required', type: 'invalid_type' }] },
  },
  errors: ['agent_not_found', 'not_owner', 'wrong_universe', 'review_not_found', 'already_answered', ...commandErrors],
});

/** The routes about exchanges. */
export const exchangeRoutes: readonly Route[] = [callRoute, reviewRoute, answerReviewRoute];
