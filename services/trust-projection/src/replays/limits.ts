/** Bounds of the record of replays. */
export const replayLimits = {
  /** Replays that are kept, the newest. */
  keptMax: 50,
  /** How long the process of a replay may take until it shows itself. */
  startMsMax: 60_000,
  /** How often a running replay says how far it is, and sees that it was cancelled. */
  reportEveryMs: 1_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
  connectionsMax: 2,
  /** Characters of what a failed process has said last. */
  errorCharsMax: 2_000,
  /** How long a replay that was asked to stop may take, before its process is killed. */
  stopMsMax: 4_000,
} as const;
