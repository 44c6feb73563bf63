/** Limits of the key store. */
export const keyStoreLimits = {
  connectionsMax: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
  /** Attempts to create a key that concurrent erasures keep destroying. */
  currentKeyAttemptsMax: 4,
} as const;
