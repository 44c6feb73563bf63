/** Bounds of what is kept for repeated requests. */
export const idempotencyLimits = {
  /** How long a repeated request gets the first answer, from that answer on. */
  lifetimeMs: 24 * 3_600_000,
  /** One sealed entry. A longer answer is not kept: a repeated request is then carried out again, to the same effect. */
  entryBytesMax: 256 * 1024,
  messageHeaderBytesMax: 1024,
  /**
   * All entries. A full bucket refuses requests with a key, and those without one are served. Strangers have one of their own, so that
   * they fill up nobody else's.
   */
  bucketBytesMax: 256 * 1024 * 1024,
  strangersBucketBytesMax: 128 * 1024 * 1024,
  /** How long the gateway that carries a request out is thought to be alive. */
  leaseMs: 15_000,
  /** How long a repeated request waits for the first one before it is told to come again; how often it looks. */
  waitMs: 10_000,
  pollMinMs: 20,
  pollMaxMs: 250,
  waitersMax: 256,
  retryAfterSeconds: 1,
  storeTimeoutMs: 2_000,
} as const;
