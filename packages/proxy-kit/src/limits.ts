export const proxyLimits = {
  /** Longest life of a streamed answer, however lively it is. */
  streamTotalMs: 15 * 60_000,
  /** Bytes of a streamed answer. It is never held whole, so this does not limit memory. */
  streamedAnswerBytesMax: 1024 * 1024 * 1024,
  /** How long a caller may leave a full window of an answer unread. At a few KiB a second, the next credit takes about a minute. */
  callerStallMs: 180_000,
  /** Requests that a proxy examines for each that it may carry. Those that are refused for their target's sake must leave room for others. */
  examinedPerCarried: 2,
  /** Agents whose addresses' patterns are kept compiled, and short texts whose result is kept for each. */
  addressMatchersKept: 1_000,
  textsRemembered: 32,
  rememberedTextCharsMax: 128,
  appendBackoff: { firstMs: 50, longestMs: 1_000, jitter: 0 },
  /** How long the answer to a payment is held back until its settlement is on record, and then until it is in the outbox. */
  recordTimeoutMs: 4_000,
  outboxTimeoutMs: 1_000,
  /** Settlements that wait for the log on the bus's disk, of 1 to 2 KB each, and those that wait in a process if that disk takes none. */
  outboxBytesMax: 16 * 1024 * 1024,
  outboxEntryBytesMax: 16 * 1024,
  outboxHeldMax: 1_000,
  /** How often each proxy brings them to the log, on average, and how long one attempt may take. */
  outboxSweepMs: 5_000,
  outboxAppendMs: 2_000,
  /** How long a demand is kept for the payment that it asks for. */
  demandLifetimeMs: 60 * 60_000,
  /** Demands of one agent that are kept at one time, for different queries. */
  demandPlacesPerAgent: 16,
  demandBytesMax: 16 * 1024,
  /** Demands of organisations' agents, and those of all others: anybody can register enough agents to fill the second bucket. */
  demandBucketBytesMax: 64 * 1024 * 1024,
  unaffiliatedDemandBucketBytesMax: 32 * 1024 * 1024,
  /** For keeping or finding one demand, the opening of its bucket included. */
  demandTimeoutMs: 1_000,
  /** Pause between two warnings about one bucket. */
  demandWarningEveryMs: 60_000,
} as const;
