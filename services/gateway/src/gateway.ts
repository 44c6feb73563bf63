import type { CheckTarget, SafeFetch } from '@agent-trust/safe-fetch';
import type { Identifying } from './http/caller/credentials.ts';
import type { OwnerLimiter, CallerLimiter } from './concurrency/caller-limiter.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { Mailer } from './features/rotate/mail/mailer.ts';
import type { ShownAgents } from './features/match/shown-agents.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';

/** What every route has at hand. */
export type Gateway = Identifying & {
  readonly rotationLimiter: RateLimiter;
  readonly importLimiter: RateLimiter;
  /** Imports under way, by client address. */
  readonly imports: OwnerLimiter;
  /** The one client for requests to addresses that others chose. */
  readonly safeFetch: SafeFetch;
  /** Judges addresses that nobody contacts yet by the same rules. */
  readonly checkTarget: CheckTarget;
  readonly idempotency: Idempotency;
  /** Listings of an organisation's agents under way, by org_id. */
  readonly orgListings: OwnerLimiter;
  /** Followers and exports of events, by organisation, and for all operators together. */
  readonly eventStreams: OwnerLimiter;
  /** Aborts when this gateway stops, so that what would never end by itself ends. */
  readonly stopping: AbortSignal;
  /** Calls under way, by caller. */
  readonly callLimiter: CallerLimiter;
  /** Long bodies of calls whose caller is not known yet, by client address. */
  readonly longBodyLimiter: OwnerLimiter;
  /** Payments under way, by payer or, without a key, by client address. */
  readonly paymentLimiter: CallerLimiter;
  /** Bodies of payments that are passed on as they come, likewise. */
  readonly uploadLimiter: CallerLimiter;
  /** Ids of anonymous callers by their addresses, for the services behind the gateway. */
  readonly anonymousIdOf: (client: string) => string;
  readonly shownAgents: ShownAgents;
  /** Brings claim links to contact addresses; null where they are handed out in the answer. */
  readonly mailer: Mailer | null;
};
