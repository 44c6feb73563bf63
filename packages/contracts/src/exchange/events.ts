import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { limits } from '../limits.ts';
import { sealedText } from '../personal-data/events.ts';
import { nullableText, positionText, sha256Hex, timestamp } from '../text.ts';
import { universe } from '../universe.ts';

/** Stream of one exchange: started, ended in one way, reviewed at most once, and the review answered at most once. */
export function exchangeStream(transactionId: string): string {
  return `exchange-${transactionId}`;
}

const parties = {
  transactionId: z.string(),
  callerAgentId: z.string(),
  receiverAgentId: z.string(),
  universe,
};
const partyIds = ['transactionId', 'callerAgentId', 'receiverAgentId'] as const;

/** Written and durable before the agent is contacted. */
export const exchangeStarted = defineEvent(
  'ExchangeStarted',
  {
    ...parties,
    messageProtocol: z.enum(['a2a', 'mcp', 'raw']),
    httpMethod: z.string(),
    streaming: z.boolean(),
    requestDigest: sha256Hex,
    requestBytes: z.number().int(),
    startedAt: timestamp,
    /** Milliseconds from the recording of this event after which its proxy has closed the exchange; if still open, it may be ended as abandoned. */
    endsWithinMs: z.number().int().positive(),
  },
  {
    shownToOwner: [
      ...partyIds,
      'messageProtocol',
      'httpMethod',
      'streaming',
      'requestDigest',
      'requestBytes',
      'startedAt',
      'endsWithinMs',
    ],
  },
);

/** The agent answered, with any status. */
export const exchangeCompleted = defineEvent(
  'ExchangeCompleted',
  {
    ...parties,
    statusCode: z.number().int(),
    responseDigest: sha256Hex,
    responseBytes: z.number().int(),
    durationMs: z.number(),
    completedAt: timestamp,
  },
  {
    standingOf: ['callerAgentId', 'receiverAgentId'],
    shownToOwner: [...partyIds, 'statusCode', 'responseDigest', 'responseBytes', 'durationMs', 'completedAt'],
  },
);

export const exchangeFailureReason = z.enum([
  'unreachable',
  'timeout',
  'too_large',
  'not_allowed',
  'protocol_error',
  'cancelled',
]);
export type ExchangeFailureReason = z.infer<typeof exchangeFailureReason>;

/** The agent could not be reached or broke off, or the caller disconnected before the answer was complete. */
export const exchangeFailed = defineEvent(
  'ExchangeFailed',
  { ...parties, reason: exchangeFailureReason, durationMs: z.number(), failedAt: timestamp },
  {
    standingOf: ['callerAgentId', 'receiverAgentId'],
    shownToOwner: [...partyIds, 'reason', 'durationMs', 'failedAt'],
  },
);

/** The proxy of the exchange has ended without recording an end. */
export const exchangeAbandoned = defineEvent(
  'ExchangeAbandoned',
  { ...parties, abandonedAt: timestamp },
  { shownToOwner: [...partyIds, 'abandonedAt'] },
);

const withoutAsOf = (data: unknown): unknown => {
  const { reviewer, ...review } = data as { reviewer: object };
  return { ...review, reviewer: { ...reviewer, asOf: null } };
};

/** The caller's review of an exchange, with all data that the trust policy needs, so that a replay needs no other source. */
export const exchangeReviewed = defineEvent(
  'ExchangeReviewed',
  {
    ...parties,
    success: z.boolean(),
    score: z.number().int().min(limits.reviewScoreMin).max(limits.reviewScoreMax),
    reviewer: z.object({
      orgId: nullableText,
      orgDomain: nullableText,
      /** The reviewer's trust_score when it reviewed, 0–100. */
      trustScore: z.number(),
      /** Share of each root domain in the reviewer's weight; sums to 1. */
      roots: z.record(z.string(), z.number()),
      /**
       * The rest is the reviewer's standing after every event up to this position of the log, so that anybody can compute it again: concurrent
       * events may be between it and the review. Null in reviews of version 1, which do not say what was read.
       */
      asOf: positionText.nullable(),
    }),
    reviewedAt: timestamp,
  },
  {
    version: 2,
    upcasters: { 1: withoutAsOf },
    standingOf: ['callerAgentId', 'receiverAgentId'],
    shownToOwner: [...partyIds, 'success', 'score', 'reviewedAt'],
  },
);

/** The reviewed agent's owner has answered the review. The text is sealed, because it may be about a person: who erases the agent's key erases it. */
export const reviewAnswered = defineEvent(
  'ReviewAnswered',
  { ...parties, answer: sealedText, answeredAt: timestamp },
  { standingOf: ['receiverAgentId'], shownToOwner: [...partyIds, 'answeredAt'] },
);

export type ExchangeStarted = z.infer<typeof exchangeStarted.event>;
export type ExchangeCompleted = z.infer<typeof exchangeCompleted.event>;
export type ExchangeFailed = z.infer<typeof exchangeFailed.event>;
export type ExchangeAbandoned = z.infer<typeof exchangeAbandoned.event>;
export type ExchangeReviewed = z.infer<typeof exchangeReviewed.event>;
export type ReviewAnswered = z.infer<typeof reviewAnswered.event>;
/** Events of the stream of an exchange. */
export const exchangeEvents = [
  exchangeStarted,
  exchangeCompleted,
  exchangeFailed,
  exchangeAbandoned,
  exchangeReviewed,
  reviewAnswered,
] as const;
export type ExchangeEvent = EventOf<(typeof exchangeEvents)[number]>;
