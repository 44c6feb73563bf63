/** All limits of the client. Times are milliseconds, sizes bytes; those of `defaults` can be overridden. */
export const defaults = {
  /** One attempt, from the request to the complete answer. */
  timeoutMs: 30_000,
  /** One attempt of a call or a payment: includes the agent's own time, and the waits of the registry before and after. */
  callTimeoutMs: 120_000,
  /** Silence on a stream. The registry ends every stream within 15 minutes. */
  streamIdleTimeoutMs: 16 * 60_000,
  /** A complete answer. An agent's 10 MiB become at most 60 MiB of JSON, if each byte is an escape. */
  answerBytesMax: 64 * 1024 * 1024,
  /** One event of a stream. */
  eventBytesMax: 16 * 1024 * 1024,
} as const;

export const retryDefaults = {
  /** Attempts after the first one. */
  retriesMax: 2,
  /** The wait before the first retry; each further one is twice as long, minus a random part. */
  waitMs: 250,
  waitMsMax: 8_000,
  /** A longer Retry-After is not waited for: the refusal is reported, with that time. */
  retryAfterSecondsMax: 30,
} as const;

export const limits = {
  retriesMax: 10,
  /** A day: within the limit of a timer. */
  retryAfterSecondsMax: 86_400,
  claimTokenCharsMax: 1024,
  /** Silence on a stream of new events or an export: the registry sends something more often than that. */
  eventsSilenceMs: 60_000,
  /** One event of the log. */
  eventCharsMax: 4 * 1024 * 1024,
  /** Consecutive attempts to reopen a stream of new events. */
  followRetriesMax: 30,
  /** A payment demand, in a body or a header. */
  demandCharsMax: 1024 * 1024,
  /** Payment requirements of one list that are read. */
  requirementsMax: 64,
} as const;
