/** Limits that the parts of trust-projection share, and those of its query side. */
export const queryLimits = {
  /** Database connections of one instance, the projection's own two not counted. */
  databaseConnectionsMax: 8,
  /** Besides them: the log record's queries, one after the other for each page or follower. */
  logRecordConnectionsMax: 4,
  /** Besides them: those on which signed checkpoints are remembered. */
  logSigningConnectionsMax: 2,
  /** Checkpoints that one instance makes at one time, and questions that wait for one; those that wait share it. */
  checkpoints: { atOnceMax: 1, waitingMax: 4_096 },
  /** Events that one question about events looks at before it is cut and must be asked again from there. */
  auditScanMax: 20_000,
  /** Payments of one call that a search for its events finds; nobody pays a call so often. */
  paymentsOfCallMax: 1_000,
  /** Times that reviews of one agent were voided, among which a search for the events of a call looks for its own; operators do it now and then. */
  voidingsOfAgentMax: 100,
  /** Events that are read from the log at a time for an answer, and the JSON that an answer may hold; its last event may exceed it. */
  auditReadEvents: 50,
  auditAnswerBytesMax: 1024 * 1024,
  /** Followers and pages together; each follower waits in one. */
  auditQueriesConcurrentMax: 1_024,
  /** Longest time that a follower's question waits for an event. */
  auditWaitMsMax: 20_000,
  /** Longest wait for a free database connection. */
  databaseConnectTimeoutMs: 2_000,
  /** Longest run of one query. */
  databaseStatementTimeoutMs: 4_000,
  /** Coalesced lookups of one kind: keys in a round trip; waiting lookups, more are `overloaded`; concurrent round trips. */
  lookups: { keysMax: 256, waitingMax: 10_000, roundTripsMax: 2 },
  /** Proofs, tiles, receipts and signatures at one time, each kind: they are anybody's, and what operators ask of the record goes before. */
  proofsConcurrentMax: 64,
  /** The log record's pause after a batch, so that it makes one of what a busy registry writes meanwhile; it ends when a proof waits. */
  logRecordPauseMs: 100,
  /** Longest time that a proof waits for the log record to have its event. */
  logRecordWaitMs: 3_000,
  /** Longest time that a query waits for the read model to reach its `atLeast`. */
  atLeastWaitMs: 5_000,
  /** A pair's newest reviews, among which the one of a repeated request is looked for. */
  reviewsOfPairMax: 1_000,
  /** Queries of one method that run at one time; more are answered `overloaded`. */
  queriesConcurrentMax: 4_096,
  /** Call-proxies ask for overdue exchanges now and then; more at a time would be a fault. */
  overdueQueriesConcurrentMax: 16,
  /** Queries that search (match, registry) and run at one time. */
  searchesConcurrentMax: 256,
  /**
   * Names that are neither canonical nor aliases: how many are ranked at one time, and how many may wait, of all clients and of one; more are
   * refused as overloaded. Anybody may search, so searches have a limit of their own, and a client has room for four of the longest questions.
   */
  closeNamesOfSearches: { atOnceMax: 2, waitingMax: 1_024, waitingOfClientMax: 128 },
  /** The same for what registrations and updates ask. */
  closeNamesOfWrites: { atOnceMax: 2, waitingMax: 1_000 },
  /** Previews that run and that wait. Each takes tens of milliseconds in a large market; other calls run between two of them. */
  previews: { atOnceMax: 1, waitingMax: 64 },
  /** Names of capabilities whose meaning is kept, and names whose close capabilities are, of searches and of writes each. */
  heldNames: { countMax: 10_000 },
  heldCloseNames: { countMax: 5_000 },
  /** Names that are put to the embedding model at one time, of searches and of writes each, and that wait for it; more are resolved without. */
  namesToEmbed: { atOnceMax: 8, waitingMax: 256, waitingOfClientMax: 64 },
  /** Changed agents that the match index takes over at a time: reading more at once would hold up other answers. */
  changedAgentsPerReadMax: 1_000,
  /** Names that the match index may have gathered, beyond twice those that it was built with, before it is built anew without the unused ones. */
  matchNamesSpareMax: 50_000,
  /** How often the match index takes over changes while nobody asks it. */
  matchFollowMs: 1_000,
} as const;
