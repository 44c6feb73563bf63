/** Bounds of leading the replicas. */
export const leaderLimits = {
  /** How often the leader looks at its clock: for heartbeats, members to forget, and checks of its lock. */
  tickMs: 50,
  /** How often a leader whose commits prove its lock asks whether another process waits for it. */
  askWhetherWantedEveryMs: 1_000,
  /** Longest wait for members to leave at a handover; each is forgotten long before. */
  handoverWaitMs: 1_500,
  connectTimeoutMs: 5_000,
  /** Longer than any statement of the session may take: after that it has no peer any more. */
  sessionSilentMsMax: 130_000,
  /** How often a process that waits for the lock looks whether it is free, and how long it waits for it. */
  lockPollMs: 20,
  lockWaitMs: 30_000,
} as const;
