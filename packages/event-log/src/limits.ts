/** Limits and deadlines of the event log, in one place; options of the adapters override those that an operator may want to change. */
export const eventLogLimits = {
  /** Bytes of types, data and metadata of one append. EventStoreDB refuses an append above 1 MiB by default, framing included. */
  appendBytesMax: 1_000_000,
  /** Events in one append. */
  appendEventsMax: 1_000,
  /** Length of a stream name in UTF-8 bytes: 128 astral code points and a prefix fit, and so does a Postgres index entry. */
  streamNameBytesMax: 1_024,
  eventTypeBytesMax: 256,

  /** Time an append may take, retries and waiting in the queue included. */
  appendDeadlineMs: 10_000,
  /** Time one read or one page of a subscription may take. */
  readDeadlineMs: 30_000,
  connectDeadlineMs: 5_000,
  /** Times a read that found the log unavailable is repeated. */
  readRetriesMax: 2,

  /** Postgres: time one batch may wait for the append lock, run on the server, and take as the client sees it. */
  appendLockTimeoutMs: 4_000,
  appendStatementTimeoutMs: 5_000,
  appendAttemptTimeoutMs: 7_000,

  /** Appends waiting in process for their batch; more are refused as unavailable. */
  queuedAppendsMax: 10_000,
  queuedBytesMax: 64 * 1024 * 1024,
  /** What one batch, one round trip to the database, may hold. */
  batchAppendsMax: 256,
  batchBytesMax: 4 * 1024 * 1024,

  /** Connections that one event log object opens for reads; appends have one of their own, and so has each subscription. */
  readConnectionsMax: 4,
  /** Events, and bytes of their data, read in one round trip. A page holds at least one event, however large. */
  readPageEventsMax: 2_000,
  readPageBytesMax: 8 * 1024 * 1024,
  /** Positions that one `readAt` may name, and how many of them are asked for at a time where each is a read of its own (EventStoreDB). */
  readAtPositionsMax: 100,
  readAtConcurrentMax: 8,
  /** Default of `SubscribeOptions.batchEventsMax`, and the most that it may be. */
  subscriptionBatchEvents: 2_000,
  subscriptionBatchEventsMax: 10_000,
  /** Batches a subscription reads ahead of its consumer. */
  subscriptionReadAheadBatches: 1,
  /** Longest a new event can stay unseen when its wake-up got lost. */
  subscriptionPollMs: 1_000,
  /** EventStoreDB: events buffered between the connection and the consumer, and how long a subscription may be silent before its health is looked at. */
  feedReadAheadEvents: 256,
  subscriptionIdleCheckMs: 10_000,
  /** First and longest wait before a broken connection is tried again. */
  reconnectBackoff: { firstMs: 50, longestMs: 5_000 },

  /** Time `handleCommand` takes at most. */
  commandDeadlineMs: 10_000,
  /** Times `handleCommand` reads and decides again after another writer was faster. */
  commandConflictRetriesMax: 10,
  commandConflictBackoff: { firstMs: 50, longestMs: 100 },
  /** Times `handleCommand` repeats an append whose outcome is unknown or that found the log unavailable. */
  commandAppendRetriesMax: 3,
} as const;
