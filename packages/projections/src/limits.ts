/** Limits of the projection engine; most can be overridden by options. */
export const projectionLimits = {
  /** Events of one transaction of the live runner, when it is behind: rows that change often are then written less often. */
  batchEventsMax: 4_000,
  /** Prepared statements of one live runner, each for the tables that a batch writes. */
  batchStatementsMax: 200,
  /** Rows of each table that the live runner keeps in memory. */
  cachedRowsPerTableMax: 50_000,
  /** How often a standby tries to get the lock. */
  standbyPollMs: 250,
  /** Rounds of loading just before an event is applied: a projection that asks for ever is a fault. */
  lastRoundsMax: 1_000,
  /** Pauses before an event that could not be applied is tried again. */
  retryBackoff: { firstMs: 100, longestMs: 10_000 },
  /** The longest of them where no event stands in the way: the database or the log is down, and writes wait for the read model once it is back. */
  reconnectMsMax: 1_000,
  /** How often a process checks whether another has finished the rebuild of a read model. */
  rebuildPollMs: 500,
  /** Requests of one process that wait for a position. */
  waitersMax: 10_000,
  /** Fallback for a lost notification, only while a caller waits; also the pause between attempts to reconnect. */
  checkpointPollMs: 250,
  /** Events of one page of a replay. */
  replayBatchEventsMax: 4_000,
  /** Events that a replay makes from a page and applies, before it lets its connections work. */
  replaySliceEventsMax: 250,
  /** Rows of append-only tables that a replay collects before it writes them. */
  replayInsertsMin: 10_000,
  /** Rows of each table that a replay keeps in memory. */
  replayRowsPerTableMax: 30_000,
  /** Rows of one statement: rows of evidence have several KB, and a text may have at most half a GB. */
  rowsPerStatementMax: 2_000,
  /** Rows of one COPY: they are in memory a second time, as its input. */
  rowsPerCopyMax: 5_000,
  /** One statement of a replay over all rows of a table: an index, or the comparison. Nobody waits for it. */
  wholeTableTimeoutMs: 2 * 60 * 60_000,
  /** Memory of a replay's stored keys: enough for 27 million at ten bits a key. */
  replayStoredKeysBytes: 2 ** 25,
  /** Differing rows that a comparison lists. */
  differencesShownMax: 20,
  /** Events that a replay applies while it blocks the live runner. */
  switchEventsMax: 1_000,
  /** The wait after a step of upkeep that failed. */
  upkeepRetryMs: 10_000,
  /** How long one of several attempts to remove the former read model waits for its readers. */
  dropLockTimeoutMs: 2_000,
} as const;

/** The part of a logger that the engine uses; pino's has this shape. */
export type ProjectionLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLogger: ProjectionLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };
