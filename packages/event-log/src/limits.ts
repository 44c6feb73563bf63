/** Limits and deadlines of the event log; options of the adapters override those that an operator may want to change. */
export const eventLogLimits = {
  /** Bytes of types, data and metadata of one append. EventStoreDB refuses an append above 1 MiB by default, framing included. */
  appendBytesMax: 1_000_000,
  /** Events in one append. */
  appendEventsMax: 1_000,
  /** Length of a stream name in UTF-8 bytes: 128 astral code points and a prefix fit, and so does a Postgres index entry. */
  streamNameBytesMax: 1_024,
  eventTypeBytesMax: 256,

  /** Deadline of an append, including retries and the wait in the queue. */
  appendDeadlineMs: 10_000,
  /** Deadline of one read or one page of a subscription. */
  readDeadlineMs: 30_000,
  connectDeadlineMs: 5_000,
  /** Retries of a read that found the log unavailable. */
  readRetriesMax: 2,

  /** Postgres: how long one batch may wait for the append lock, run on the server, and take for the client. */
  appendLockTimeoutMs: 4_000,
  appendStatementTimeoutMs: 5_000,
  appendAttemptTimeoutMs: 7_000,

  /** Appends that wait for their batch; more are refused as unavailable. */
  queuedAppendsMax: 10_000,
  queuedBytesMax: 64 * 1024 * 1024,
  /** Limits of one batch, which is one round trip to the database. */
  batchAppendsMax: 256,
  batchBytesMax: 4 * 1024 * 1024,

  /** Connections of one event log object for reads; appends have one more, and so has each subscription. */
  readConnectionsMax: 4,
  /** Events, and bytes of their data, read in one round trip. A page has at least one event, however large. */
  readPageEventsMax: 2_000,
  readPageBytesMax: 8 * 1024 * 1024,
  /** Positions of one `readAt`, and how many of them are read concurrently if each is a read of its own (EventStoreDB). */
  readAtPositionsMax: 100,
  readAtConcurrentMax: 8,
  /** Postgres: archived streams that leave the log, or events that come back, in one transaction, which holds the lock of appends meanwhile. */
  retentionStreamsPerTransaction: 500,
  retentionEventsPerTransaction: 500,
  /** EventStoreDB: streams that are removed concurrently. */
  retentionConcurrentMax: 32,
  /** Default and maximum of `SubscribeOptions.batchEventsMax`. */
  subscriptionBatchEvents: 2_000,
  subscriptionBatchEventsMax: 10_000,
  /** Batches that a subscription reads ahead of its consumer. */
  subscriptionReadAheadBatches: 1,
  /** Longest time for which a new event can stay unseen if its wake-up was lost. */
  subscriptionPollMs: 1_000,
  /** EventStoreDB: events buffered between the connection and the consumer, and the silence of a subscription after which its health is checked. */
  feedReadAheadEvents: 256,
  subscriptionIdleCheckMs: 10_000,
  eventStoreDb: {
    /** One attempt of an append: longer than the server itself waits for its followers (two seconds for each of two steps). */
    attemptTimeoutMs: 4_500,
    /** The wait between attempts of an append: while a cluster elects, each attempt waits for the leader anyway. */
    retryBackoff: { firstMs: 20, longestMs: 250 },
    /** Default of `keepAliveInterval` and `keepAliveTimeout`: a silent node is given up after their sum, before its cluster has elected another. */
    keepAliveMs: 1_000,
    keepAliveTimeoutMs: 2_000,
    /** How long a subscription gathers events: the server sends each by itself, and each batch is a transaction of the read models. */
    gatherMs: 3,
    /** Default of `gossipTimeout` and `discoveryInterval`: how long a node may take to name the leader, and the wait between two rounds. */
    gossipTimeoutMs: 1_000,
    discoveryIntervalMs: 250,
  },
  /** First and longest wait before a broken connection is retried. */
  reconnectBackoff: { firstMs: 50, longestMs: 5_000 },

  /** Deadline of `handleCommand`. */
  commandDeadlineMs: 10_000,
  /** Retries of `handleCommand` after another writer was faster: as many as let a crowd of thirty on one stream all succeed on a busy machine. */
  commandConflictRetriesMax: 30,
  commandConflictBackoff: { firstMs: 50, longestMs: 100 },
  /** Retries by `handleCommand` of an append whose outcome is unknown or that found the log unavailable. */
  commandAppendRetriesMax: 3,
} as const;
