const hourMs = 60 * 60 * 1_000;

export const usageLimits = {
  connectionsMax: 2,
  connectTimeoutMs: 5_000,
  /** Reports, and questions about usage, that are taken at one time. */
  reportsConcurrentMax: 64,
  /** How long the counts of a day are kept. */
  daysKept: 400,
  /** How long the last report of a gateway is kept that has not reported since: nobody sends it again. */
  reportersKeptHours: 48,
  cleanUpEveryMs: 6 * hourMs,
  /** A lease is a share of what remains, so that no gateway takes all; the most that one has unused. */
  leaseShareOf: 10,
  leaseMax: 1_000,
} as const;
