/**
 * Every limit that a client can meet. Lengths are Unicode code points, sizes are bytes. Those of the specification's table "Limits" are
 * marked (spec); the others bound what it leaves open.
 */
export const limits = {
  agentIdCharsMax: 128, // spec
  capabilityNameCharsMax: 50, // spec
  capabilityWeightMin: 1, // spec
  capabilityWeightMax: 3, // spec
  capabilitiesMax: 100,
  /** Canonical names offered for a name close to them. */
  capabilityCandidatesMax: 5,
  endpointUrlCharsMax: 2083, // spec
  priceScheduleEntriesMax: 20, // spec
  priceTaskCharsMax: 100, // spec
  orgNameCharsMax: 256, // spec
  orgDomainCharsMax: 253, // RFC 1035 §2.3.4 as text
  emailCharsMax: 320, // RFC 3696 erratum 1690
  freeTextCharsMax: 4096,
  /** Of the operator's reasons. */
  operatorReasonCharsMax: 500,
  /** The highest limit of requests in a day. */
  perDayMax: 1_000_000_000,
  /** Days of usage that one answer shows, and how many it shows by itself. */
  usageDaysMax: 92,
  usageDaysDefault: 30,
  /** Operators' keys that work at a time. */
  operatorKeysMax: 200,
  operatorKeysListedMax: 1_000,
  /** Of those, keys of browsers that one operator has signed in. */
  browserKeysMax: 20,
  /** Of the name of an operator's key, or what an issuer calls an operator. */
  operatorIdCharsMax: 255,
  operatorKeyDaysDefault: 90,
  operatorKeyDaysMax: 366,
  /** How long a sign-in code can be redeemed, and how long the key that it gives works. */
  signInCodeMinutes: 15,
  signInKeyHours: 12,
  /** Codes that one operator may ask for, and that one client address may try. */
  signInsPerMinute: 30,
  /** How long the demo rests after each step. */
  demoPauseMsDefault: 500,
  demoPauseMsMax: 3_000,
  /** Named keys of an organisation that work at a time, in each universe. */
  orgKeysMax: 50,
  orgKeysListedMax: 200,
  orgKeyDaysDefault: 90,
  orgKeyDaysMax: 366,
  /** How long a replaced secret of a named key goes on working. */
  orgKeyOverlapSecondsDefault: 24 * 3_600,
  orgKeyOverlapSecondsMax: 30 * 24 * 3_600,
  /** Reviews that one request voids, and agents of each kind that select them. */
  reviewsVoidedMax: 1_000,
  reviewsVoidedOfAgentsMax: 100,
  /** Fifteen digits: a JSON number holds them exactly. */
  logSizeMax: 999_999_999_999_999,
  tokenCharsMax: 255, // media types, header names, networks, rails
  listEntriesMax: 32,
  /** Parts of one message. zod counts first, so a body of millions of broken parts costs one fault, not gigabytes of faults. */
  messagePartsMax: 1_000,
  forwardedHeadersMax: 64,
  forwardedHeaderBytesMax: 8192,
  /** Names and values together, as sent to the agent. */
  forwardedHeadersBytesMax: 24 * 1024,
  reviewScoreMin: 1, // spec
  reviewScoreMax: 10, // spec
  /** Exchanges that an agent's liveness is computed from: the newest, and how much earlier than the newest of all they may have begun. */
  livenessExchangesMax: 100,
  livenessDaysMax: 30,
  /** An agent is live from this share of answered exchanges on … */
  liveSuccessRateMin: 0.5,
  /** … unless so many of the newest exchanges have all failed. */
  liveFailuresMax: 3,
  /** Of an owner's answer to a review. */
  reviewAnswerCharsMax: 500,
  registryPageDefault: 50, // spec
  registryPageMax: 200, // spec
  registryOffsetMax: 10_000_000,
  /** Agents that are listed by the beginning of their ids, the most trusted of more. */
  registryNamedMax: 1_000,
  matchPageDefault: 50,
  matchPageMax: 200,
  /** Agents of one POST /verify/batch. */
  verifyBatchMax: 100,
  capabilitiesPageDefault: 200,
  capabilitiesPageMax: 1_000,
  capabilitiesOffsetMax: 20_000,
  /** Shorter texts are no filter of capabilities. */
  capabilitySearchCharsMin: 3,
  /** Names that agents brought in one listing, and aliases that one capability is shown with besides those of the registry. */
  learnedCapabilitiesListedMax: 10_000,
  learnedAliasesShownMax: 50,
  activityDaysDefault: 7,
  activityDaysMax: 30,
  /** How long an answer of GET /activity is everybody's. */
  activityHeldSeconds: 10,
  newestAgentsShownMax: 20,
  moversShownMax: 10,
  /** The newest changes of scores among which movers are looked for. */
  scoreChangesConsideredMax: 20_000,
  previewResultsMax: 50,
  ratingsShownMax: 100,
  trustReviewsPageDefault: 100,
  trustReviewsPageMax: 200,
  trustHistoryPageDefault: 100,
  trustHistoryPageMax: 500,
  reviewLeavesPageDefault: 100,
  reviewLeavesPageMax: 1_000,
  trustOffsetMax: 10_000_000,
  recordVouchersShownMax: 1_000,
  orgPaymentsPageDefault: 200, // spec
  orgPaymentsPageMax: 1_000,
  /** Currencies that totals of payments are shown for. */
  orgPaymentTotalsMax: 200,
  /** Without a limit the answer has all of an organisation's agents, as a stream. */
  orgAgentsPageMax: 1_000,
  orgListOffsetMax: 10_000_000,
  eventsPageDefault: 100,
  eventsPageMax: 500,
  webhooksPerOrgMax: 10,
  /** Agents that a webhook names; a webhook without names reports all of its organisation's agents. */
  webhookAgentsMax: 100,
  /** Kept dead letters of one webhook. */
  webhookDeadLettersMax: 1_000,
  /** Kept delivered messages of one webhook. */
  webhookDeliveredKeptMax: 20,
  /** Changed scores of an organisation's agents by one change of its record; more are one message to a webhook that reports all its agents. */
  webhookRecordAgentsMax: 100,
  webhookDeliveriesPageDefault: 100,
  webhookDeliveriesPageMax: 500,
  /** Exchanges without a proxy in one answer. */
  overdueExchangesPageMax: 200,
  requestIdCharsMax: 128,
  idempotencyKeyCharsMax: 128,
  /** After this, an Idempotency-Key is new. */
  idempotencyLifetimeMs: 24 * 3_600_000,
  claimTokenCharsMax: 1024,
  bodyBytesMax: 1024 * 1024,
  /** Members of objects and items of arrays in one body, at all levels. A second of processor time would fit into 10 MiB of them. */
  bodyMembersMax: 100_000,
  /** Levels of objects and arrays within one another. Fewer than any common reader of JSON takes, so that an agent can read what the registry can. */
  bodyNestingMax: 256,
  callBodyBytesMax: 10 * 1024 * 1024,
  callAnswerBytesMax: 10 * 1024 * 1024,
  rotateRequestsPerMinute: 5, // spec
  importRequestsPerMinute: 30,
  /** Requests for tokens and proofs of domains, of one organisation; a proof makes the registry ask other servers. */
  domainProofsPerMinute: 20,
  orgDomainsPageDefault: 100,
  orgDomainsPageMax: 500,
  /** Of a request with a trust policy, which has some 400 bytes. */
  policyBodyBytesMax: 64 * 1024,
  /** Trials and simulations of trust policies that are kept, the newest of each. */
  policyJobsKeptMax: 5,
  /** How long one runs that nobody asks for. */
  policyJobUnaskedSeconds: 60,
  /** Agents that a trial keeps, with their scores over time. */
  policyTrialAgentsMax: 1_000,
  policyTrialAgentsPageDefault: 50,
  policyTrialAgentsPageMax: 200,
  /** Trust policies that are listed, the newest. */
  policiesListedMax: 100,
  simulationSeedsMax: 20,
  simulationSeedMax: 2 ** 32 - 1,
  /** A message to the registry itself, of which only the envelope is read. */
  a2aBodyBytesMax: 64 * 1024,
  /** The number that weights allow: one of 3, two of 2, three of 1. */
  importedCapabilitiesMax: 6,
} as const;
