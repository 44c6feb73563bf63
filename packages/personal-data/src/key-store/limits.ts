/** Limits of the key store. */
export const keyStoreLimits = {
  connectionsMax: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
  /** Attempts to create a key that concurrent erasures keep destroying. */
  currentKeyAttemptsMax: 4,
  /** Keys that a re-wrap replaces in one statement, and ids that it reports of those that it cannot open. */
  rewrapBatchRows: 500,
  unreadableShownMax: 10,
  /** How long the rewriting of the table waits for its lock, behind which everything that needs a key waits. */
  rewriteLockWaitMs: 2_000,
  /** How often and after what pause the table is rewritten again while an older transaction keeps former rows: five minutes in all. */
  rewritesMax: 60,
  rewritePauseMs: 5_000,
} as const;
