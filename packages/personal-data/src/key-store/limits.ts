/** Bounds of the key store's connections. */
export const keyStoreLimits = {
  connectionsMax: 10,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 5_000,
  /** Times that a key is looked for again because an erasure took it away in between. */
  currentKeyAttemptsMax: 4,
} as const;
