/** Bounds of the HTTP edge itself. What a client can send and ask for is bounded in `limits` of contracts. */
export const edgeLimits = {
  /** Request line and headers together; a claim token, a payment and a path of 128 code points all fit. */
  headerBytesMax: 32 * 1024,
  headersTimeoutMs: 10_000,
  /** From the first byte of a request to its last; a call body of 10 MiB over a slow line fits. */
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  connectionsMax: 10_000,
  /** A body refused for its size or before it was read is still taken in up to this, so that the client gets to read why. */
  drainedBytesMax: 64 * 1024 * 1024,
  /** Calls under way at one time; each may hold a request and an answer of 10 MiB. */
  callsAtOnceMax: 512,
  /** Those of one organisation's agents together; one agent has CALLS_PER_CALLER_MAX. Less than one call-proxy carries, and so is the next. */
  callsAtOncePerOrgMax: 192,
  /** Those of all agents without an organisation together. */
  callsAtOnceWithoutOrgMax: 192,
  /** A call with a body up to this is read before its caller is known, like that of any other route; a longer one needs a place first. */
  shortCallBytesMax: 64 * 1024,
  /** Longer bodies that are read of callers who are not known yet: who sign, or have no valid key. Of one address and of all. */
  longBodiesPerAddressMax: 8,
  longBodiesAtOnceMax: 64,
  /** Listings of an organisation's agents under way at one time; each holds two batches at most. */
  orgListingsAtOnceMax: 64,
  /** Those of one organisation, so that one that reads slowly leaves room for the others. */
  orgListingsAtOncePerOrgMax: 4,
  /** Agents of one batch; where they are larger than a message on the bus a batch has fewer. */
  orgAgentsBatchMax: 200,
  /** How long the client of a listing may take nothing of it. */
  listingStallMs: 30_000,
  /** How long a listing may take from its first byte to its last, however steadily its client reads. */
  listingTotalMs: 300_000,
  /** Text of agents that answers of /match are made from, kept while it holds. */
  shownAgentsCharsMax: 32 * 1024 * 1024,
  /** What a browser may remember of which requests its pages may make. */
  preflightSecondsMax: 600,
  validationItemsMax: 50,
  /** Characters of a client's own words repeated in an error. */
  quotedCharsMax: 200,

  queryTimeoutMs: 5_000,
  commandTimeoutMs: 10_000,
  healthTimeoutMs: 1_500,
  /** One header of an agent that goes with a streamed answer; Node's own client takes 16 KiB of headers in all. */
  streamedHeaderCharsMax: 8 * 1024,
  /** Silence of an agent in the middle of a stream. */
  callIdleTimeoutMs: 120_000,
  /** Beyond the wait for the read model itself. */
  readModelMarginMs: 1_000,
  retryAfterSeconds: 1,

  rateLimitTimeoutMs: 2_000,
  rateLimitAttemptsMax: 12,
  rateLimitBucketBytesMax: 16 * 1024 * 1024,

  /** Payments under way at one time; each passes through windows, none is held whole. */
  paymentsAtOnceMax: 512,
  /** Those of one payer: half of what one agent gets from a pay-proxy, so that one who sends slowly leaves some. */
  paymentsAtOncePerPayerMax: 32,
  /** Those of one client address without a key: half of what all payers without one get of an agent from a pay-proxy together, which is as much as one payer's. */
  paymentsAtOncePerAddressMax: 16,
  /** Those of one organisation's agents together. What the next two leave is as much. */
  paymentsAtOncePerOrgMax: 192,
  /** Those of all agents without an organisation together, and those of all clients without a key. */
  paymentsAtOnceWithoutOrgMax: 160,
  paymentsAtOnceWithoutKeyMax: 160,
  /** A body of a payment with a declared length up to this is read before the payment takes a place, like that of any other route. */
  shortPaymentBytesMax: 64 * 1024,
  /** Other bodies are passed on as they come: so many at one time, which is less than the payments of each kind. */
  uploadsAtOnceMax: 128,
  uploadsAtOncePerPayerMax: 8,
  uploadsAtOncePerOrgMax: 48,
  uploadsAtOnceWithoutOrgMax: 40,
  uploadsAtOnceWithoutKeyMax: 40,
  paymentHeaderCharsMax: 16 * 1024,
  sessionIdCharsMax: 1024,
  stopPollMs: 50,
} as const;
