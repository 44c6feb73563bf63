import type { CheckTarget, SafeFetch } from '@agent-trust/safe-fetch';
import type { Identifying } from './http/caller/credentials.ts';
import type { Slots } from './http/slots.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { Mailer } from './features/rotate/mail/mailer.ts';
import type { ShownAgents } from './features/match/shown-agents.ts';
import type { Places } from './places/places.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';

/** What every route has at hand. */
export type Gateway = Identifying & {
  readonly rotationLimiter: RateLimiter;
  readonly importLimiter: RateLimiter;
  /** Places for imports under way, by client address. */
  readonly imports: Slots;
  /** The one client for requests to addresses that others chose. */
  readonly safeFetch: SafeFetch;
  /** Judges addresses that nobody contacts yet by the same rules. */
  readonly checkTarget: CheckTarget;
  readonly idempotency: Idempotency;
  /** Places for listings of an organisation's agents, by org_id. */
  readonly orgListings: Slots;
  /** Places for followers and exports of events, by organisation, and for all operators together. */
  readonly eventStreams: Slots;
  /** Aborts when this gateway stops, so that what would never end by itself ends. */
  readonly stopping: AbortSignal;
  /** Places for calls under way, by caller. */
  readonly callPlaces: Places;
  /** Places for long bodies of calls whose caller is not known yet, by client address. */
  readonly longBodies: Slots;
  /** Places for payments under way, by payer or, of those without a key, by client address. */
  readonly paymentPlaces: Places;
  /** Places for bodies of payments that are passed on as they come, likewise. */
  readonly uploadPlaces: Places;
  /** Names of clients without a key, by their addresses, for the parts behind the gateway. */
  readonly strangerIdOf: (client: string) => string;
  readonly shownAgents: ShownAgents;
  /** Brings claim links to contact addresses; null where they are handed out in the answer. */
  readonly mailer: Mailer | null;
};
