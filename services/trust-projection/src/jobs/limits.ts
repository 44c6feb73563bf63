/** Bounds of jobs: work of an operator's that runs in a process of its own beside an instance. */
export const jobLimits = {
  /** How long the process of a job may take until it shows itself. */
  startMsMax: 60_000,
  /** How often a running job says how far it is, and sees that it must stop. */
  reportEveryMs: 1_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
  connectionsMax: 2,
  /** Characters of what a failed process has said last. */
  errorCharsMax: 2_000,
  /** How long a job that was asked to stop may take, before its process is killed. */
  stopMsMax: 4_000,
} as const;
