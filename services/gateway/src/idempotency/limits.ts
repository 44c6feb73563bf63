/** Bounds of what is kept for repeated requests. */
export const idempotencyLimits = {
  /** How long a repeated request gets the first answer, from that answer on. */
  lifetimeMs: 24 * 3_600_000,
  /** One sealed entry. A longer answer is not kept: a repeated request is then carried out again, to the same effect. */
  entryBytesMax: 16 * 1024,
  messageHeaderBytesMax: 1024,
  /**
   * All entries. A full bucket refuses requests with a key; requests without one are served. Anonymous callers and agents without an
   * organisation, of which anybody can register any number, have a bucket of their own, so that they cannot fill the other one.
   */
  bucketBytesMax: 256 * 1024 * 1024,
  unaffiliatedBucketBytesMax: 128 * 1024 * 1024,
  /** New entries of one organisation in 24 hours: together with the bytes of one, a quarter of the bucket. */
  budgetParts: 16,
  budgetPartMax: 256,
  budgetBucketBytesMax: 16 * 1024 * 1024,
  /** What a lease has beyond the waits of a request: the work between them. */
  leaseMarginMs: 2_000,
  /** How long a repeated request waits for the first one before it is told to come again; how often it looks. */
  waitMs: 10_000,
  pollMinMs: 20,
  pollMaxMs: 250,
  waitersMax: 256,
  retryAfterSeconds: 1,
  storeTimeoutMs: 2_000,
} as const;
