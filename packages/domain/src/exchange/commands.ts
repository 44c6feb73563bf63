import type { ExchangeFailureReason, MessageProtocol, Universe } from '@agent-trust/contracts';
import type { AnswerReview } from './answer.ts';
import type { ReviewExchange } from './review.ts';

/** Times are RFC 3339 in UTC with milliseconds; digests are SHA-256 as hexadecimal digits. */
export type StartExchange = {
  type: 'StartExchange';
  transactionId: string;
  callerAgentId: string;
  receiverAgentId: string;
  universe: Universe;
  messageProtocol: MessageProtocol;
  httpMethod: string;
  streaming: boolean;
  requestDigest: string;
  requestBytes: number;
  endsWithinMs: number;
  now: string;
};

export type CompleteExchange = {
  type: 'CompleteExchange';
  statusCode: number;
  responseDigest: string;
  responseBytes: number;
  durationMs: number;
  now: string;
};

export type FailExchange = { type: 'FailExchange'; reason: ExchangeFailureReason; durationMs: number; now: string };

/** Ends an exchange whose proxy no longer runs. */
export type AbandonExchange = { type: 'AbandonExchange'; now: string };

export type ExchangeCommand =
  | StartExchange
  | CompleteExchange
  | FailExchange
  | AbandonExchange
  | ReviewExchange
  | AnswerReview;
