/** Every bound of the client. Times are milliseconds, sizes bytes; those of `defaults` can be set otherwise. */
export const defaults = {
  /** One attempt, from the request to the whole answer. */
  timeoutMs: 30_000,
  /** One attempt of a call or a payment: the agent's own time lies in it, and what the registry may wait before and after. */
  callTimeoutMs: 120_000,
  /** Silence on a stream. The registry ends every stream within 15 minutes. */
  streamIdleTimeoutMs: 16 * 60_000,
  /** A whole answer. An agent's 10 MiB become at most 60 MiB of JSON, where each byte is an escape. */
  answerBytesMax: 64 * 1024 * 1024,
  /** One event of a stream. */
  eventBytesMax: 16 * 1024 * 1024,
} as const;

export const retryDefaults = {
  /** Attempts after the first one. */
  retriesMax: 2,
  /** The wait before the first retry; each further one waits twice as long, and each a random part less. */
  waitMs: 250,
  waitMsMax: 8_000,
  /** A Retry-After beyond it is not waited for: the refusal is told, and says how long. */
  retryAfterSecondsMax: 30,
} as const;

export const limits = {
  retriesMax: 10,
  /** A day: what a timer can wait for. */
  retryAfterSecondsMax: 86_400,
  claimTokenCharsMax: 1024,
  /** Silence of a follower or an export of events: the registry lets itself be heard more often. */
  eventsSilenceMs: 60_000,
  /** One event of the log. */
  eventCharsMax: 4 * 1024 * 1024,
  /** Attempts in a row of a follower to get its stream back. */
  followRetriesMax: 30,
  /** A payment demand, in a body or a header. */
  demandCharsMax: 1024 * 1024,
  /** Entries of a list of payment requirements that are looked at. */
  requirementsMax: 64,
} as const;
