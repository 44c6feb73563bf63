/** Bounds of what one gateway does with events of the log. */
export const eventsLimits = {
  /** Followers and exports under way at one time, and those of one caller: an organisation, or the operators together. */
  streamsAtOnceMax: 128,
  streamsAtOncePerCallerMax: 8,
  /** Queries for one page, whose filter may find little in a long log. */
  readsPerPageMax: 20,
  /** How long one query of a follower waits for an event; after it a comment shows the client that the stream is alive. */
  followWaitMs: 10_000,
  /** Longest time that a query may take beyond its wait. */
  questionTimeoutMs: 10_000,
  /** Between two queries of a follower that is up to date, so that single events are read several at a time. */
  followPauseMs: 100,
  /** First and longest pause of a follower while queries fail, and how long it retries. */
  retryPauseMsMin: 250,
  retryPauseMsMax: 4_000,
  unansweredMsMax: 60_000,
  /** How long a client may read nothing. */
  stallMs: 30_000,
  /** How long one follower is served; it reconnects with Last-Event-ID and is admitted again. */
  followTotalMs: 3_600_000,
  /** The `retry` of server-sent events. */
  reconnectMs: 1_000,
} as const;
