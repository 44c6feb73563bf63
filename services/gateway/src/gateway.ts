import type { JetStreamLink } from '@agent-trust/nats-rpc';
import type { CheckTarget, SafeFetch } from '@agent-trust/safe-fetch';
import type { FindToken } from './domain-proof/find-token.ts';
import type { Identifying } from './http/caller/credentials.ts';
import type { CallerBytes, CallerLimiter, OwnerLimiter } from './concurrency/caller-limiter.ts';
import type { OwnerQueue } from './concurrency/owner-queue.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { YieldingStreams } from './features/call/yielding-streams.ts';
import type { Mailer } from './features/rotate/mail/mailer.ts';
import type { ConsoleFiles } from './features/console/console-files.ts';
import type { FindVerdict } from './features/discover/find-verdict.ts';
import type { ShownAgents } from './features/match/shown-agents.ts';
import type { SignInCodes } from './features/sign-in/sign-in-codes.ts';
import type { Quotas } from './quota/quotas.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';

/** The dependencies of every route. */
export type Gateway = Identifying & {
  readonly jetstream: JetStreamLink;
  readonly rotationLimiter: RateLimiter;
  readonly importLimiter: RateLimiter;
  /** Registrations of anonymous callers, by client address. */
  readonly registrationLimiter: RateLimiter;
  /** Single-use codes that sign browsers in. */
  readonly signInCodes: SignInCodes;
  /** Codes that are asked for, by operator, and tried, by client address. */
  readonly signInLimiter: RateLimiter;
  /** Concurrent imports, by client address. */
  readonly imports: OwnerQueue;
  /** The client for requests to addresses that callers chose. */
  readonly safeFetch: SafeFetch;
  /** Checks addresses, without a request, by the same rules. */
  readonly checkTarget: CheckTarget;
  /** Requests for tokens and proofs of domains, by org_id. */
  readonly domainProofLimiter: RateLimiter;
  /** Concurrent proofs of domains, by org_id. */
  readonly domainProofs: OwnerQueue;
  readonly findToken: FindToken;
  readonly idempotency: Idempotency;
  /** Concurrent listings of an organisation's agents, by org_id. */
  readonly orgListings: OwnerQueue;
  /** Followers and exports of events, by organisation, and for all operators together. */
  readonly eventStreams: OwnerLimiter;
  /** Aborts when this gateway stops, to end requests without an end of their own. */
  readonly stopping: AbortSignal;
  /** Concurrent calls, by caller. */
  readonly callLimiter: CallerLimiter;
  /** Streamed answers of agents without an organisation, which give way to other calls. */
  readonly yieldingStreams: YieldingStreams;
  /** Long bodies of calls whose caller is not identified yet, by client address. */
  readonly longBodyLimiter: OwnerLimiter;
  /** Bytes of long bodies, by caller or client address. */
  readonly bodyBytes: CallerBytes;
  /** Bytes of long answers to calls, by caller. */
  readonly answerBytes: CallerBytes;
  /** Concurrent payments, by payer or, without a key, by client address. */
  readonly paymentLimiter: CallerLimiter;
  /** Payment bodies that are passed on as they come, likewise. */
  readonly uploadLimiter: CallerLimiter;
  /** Ids of anonymous callers by their addresses, for the other services. */
  readonly anonymousIdOf: (client: string) => string;
  /** The web pages at /console; null where they are not served. */
  readonly console: ConsoleFiles | null;
  readonly shownAgents: ShownAgents;
  readonly findVerdict: FindVerdict;
  /** Sends claim links to contact addresses; null if answers contain them. */
  readonly mailer: Mailer | null;
  /** What organisations may do in a day. */
  readonly quotas: Quotas;
};
