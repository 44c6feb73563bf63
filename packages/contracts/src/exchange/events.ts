import { z } from 'zod';
import { event } from '../event.ts';
import { limits } from '../limits.ts';
import { sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Stream of one exchange: started, ended in one way, reviewed at most once. */
export function exchangeStream(transactionId: string): string {
  return `exchange-${transactionId}`;
}

/** Version 1 did not say how long its exchange could be open; this is longer than any could. */
const endsWithinMsOfVersion1 = 3_600_000;

/** Written and durable before the agent is contacted. */
export const exchangeStarted = event(
  'ExchangeStarted',
  2,
  {
    transactionId: z.string(),
    callerAgentId: z.string(),
    receiverAgentId: z.string(),
    universe,
    messageProtocol: z.enum(['a2a', 'mcp', 'raw']),
    httpMethod: z.string(),
    streaming: z.boolean(),
    requestDigest: sha256Hex,
    requestBytes: z.number().int(),
    startedAt: timestamp,
    /**
     * The longest that its proxy keeps the exchange open, counted from the moment at which the log recorded this event. One that is open
     * for longer has no proxy any more, and anybody may end it as abandoned.
     */
    endsWithinMs: z.number().int().positive(),
  },
  { 1: (data) => ({ ...(data as object), endsWithinMs: endsWithinMsOfVersion1 }) },
);

const parties = {
  transactionId: z.string(),
  callerAgentId: z.string(),
  receiverAgentId: z.string(),
  universe,
};

/** The agent answered, with whatever status. */
export const exchangeCompleted = event('ExchangeCompleted', 1, {
  ...parties,
  statusCode: z.number().int(),
  responseDigest: sha256Hex,
  responseBytes: z.number().int(),
  durationMs: z.number(),
  completedAt: timestamp,
});

export const exchangeFailureReason = z.enum([
  'unreachable',
  'timeout',
  'too_large',
  'not_allowed',
  'protocol_error',
  'cancelled',
]);
export type ExchangeFailureReason = z.infer<typeof exchangeFailureReason>;

/** The agent could not be reached, broke off, or the caller left before the answer was whole. */
export const exchangeFailed = event('ExchangeFailed', 1, {
  ...parties,
  reason: exchangeFailureReason,
  durationMs: z.number(),
  failedAt: timestamp,
});

/** The proxy that held the exchange is gone and left no end. */
export const exchangeAbandoned = event('ExchangeAbandoned', 1, { ...parties, abandonedAt: timestamp });

/** The caller's word on an exchange, with all that the trust policy needs of the moment, so that no replay must look elsewhere. */
export const exchangeReviewed = event('ExchangeReviewed', 1, {
  ...parties,
  success: z.boolean(),
  score: z.number().int().min(limits.reviewScoreMin).max(limits.reviewScoreMax),
  reviewer: z.object({
    orgId: z.string().nullable(),
    orgDomain: z.string().nullable(),
    /** The reviewer's trust_score when it reviewed, 0–100. */
    trustScore: z.number(),
    /** Share of each root domain in the reviewer's weight; sums to 1. */
    roots: z.record(z.string(), z.number()),
  }),
  reviewedAt: timestamp,
});

export type ExchangeStarted = z.infer<typeof exchangeStarted.event>;
export type ExchangeCompleted = z.infer<typeof exchangeCompleted.event>;
export type ExchangeFailed = z.infer<typeof exchangeFailed.event>;
export type ExchangeAbandoned = z.infer<typeof exchangeAbandoned.event>;
export type ExchangeReviewed = z.infer<typeof exchangeReviewed.event>;
export type ExchangeEvent = ExchangeStarted | ExchangeCompleted | ExchangeFailed | ExchangeAbandoned | ExchangeReviewed;
