/** Limits of the projection engine; each may be overridden where it is used. */
export const projectionLimits = {
  /** Most events applied in one transaction by the live runner. */
  batchEventsMax: 1_000,
  /** Most rows of each table that the live runner remembers. */
  cachedRowsPerTableMax: 50_000,
  /** How often a standby asks for the lock. */
  standbyPollMs: 250,
  retryBackoff: { firstMs: 100, longestMs: 10_000 },
  /** How often a process looks whether another one has finished the rebuild of a read model. */
  rebuildPollMs: 500,
  /** Most requests that may wait for a position at a time in one process. */
  waitersMax: 10_000,
  /** Fallback for a lost notification, and only while somebody waits. */
  checkpointPollMs: 250,
  /** Events that a replay reads at a time. */
  replayBatchEventsMax: 4_000,
  /** Most events that a replay applies before it looks after its connections. */
  replaySliceEventsMax: 250,
  /** Rows of append-only tables that a replay gathers before it writes them. */
  replayInsertsMin: 10_000,
  /** Most rows of each table that a replay has in memory. */
  replayRowsPerTableMax: 30_000,
  /** Most rows that a replay sends as one statement: rows of evidence have several KB, and no text may have more than half a GB. */
  rowsPerStatementMax: 2_000,
  /** What a replay remembers of the keys that it has stored: at ten bits a key, 27 million of them. */
  replayStoredKeysBytes: 2 ** 25,
  /** Differing rows that a comparison lists. */
  differencesShownMax: 20,
  /** Most events that a replay applies while it holds up the live runner. */
  switchEventsMax: 1_000,
} as const;
