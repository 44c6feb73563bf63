/** Bounds of what one gateway does with events of the log. */
export const eventsLimits = {
  /** Followers and exports under way at one time, and those of one caller: an organisation, or the operators together. */
  streamsAtOnceMax: 128,
  streamsAtOncePerCallerMax: 8,
  /** Questions that are put to the log for one page, whose filter may find little among much. */
  readsPerPageMax: 20,
  /** How long one question of a follower waits for an event before a comment tells the client that the stream lives. */
  followWaitMs: 10_000,
  /** Longest time that a question may take besides what it waits. */
  questionTimeoutMs: 10_000,
  /** Between two questions of a follower that is up to date, so that events that come one by one are taken several at a time. */
  followPauseMs: 100,
  /** First and longest pause of a follower while the question cannot be answered, and how long it goes on so. */
  retryPauseMsMin: 250,
  retryPauseMsMax: 4_000,
  unansweredMsMax: 60_000,
  /** How long a client may take nothing of what it is sent. */
  stallMs: 30_000,
  /** How long one follower is served; it comes back with Last-Event-ID, and is let in anew. */
  followTotalMs: 3_600_000,
  /** What a client is told to wait before it comes back. */
  reconnectMs: 1_000,
} as const;
