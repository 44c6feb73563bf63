export const settlementLimits = {
  /** How long the answer to a payment is held back so that its settlement is on record first; pauses double from the first to the longest. */
  recordTimeoutMs: 5_000,
  recordPauseMs: { first: 50, longest: 1_000 },
  /** How long a demand is kept for the payment that it asks for. */
  demandLifetimeMs: 60 * 60_000,
  /** Demands of one agent that are kept at one time, for different queries. */
  demandPlacesPerAgent: 16,
  /** One demand as it is kept; of a longer one nothing is. */
  demandBytesMax: 16 * 1024,
  /** Demands of organisations' agents, and those of all others: anybody can register as many of these as it takes to fill theirs. */
  demandBucketBytesMax: 64 * 1024 * 1024,
  unaffiliatedDemandBucketBytesMax: 32 * 1024 * 1024,
  /** How long keeping or finding one may take, the opening of its bucket included. */
  demandTimeoutMs: 1_000,
  /** How often at most a bucket's failures are told in the service's log. */
  demandWarningEveryMs: 60_000,
} as const;
