/** Limits of the command that archives. */
export const archiveToolLimits = {
  /** Events read from the log at a time. */
  readEvents: 2_000,
  /** Segments whose events are in memory, from their selection until they have left the log. */
  segmentsUnderWayMax: 3,
  /** An exchange stays in the log for good if more events than this lie between its start and its end: its segment has to wait for it. */
  openEventsMax: 500_000,
  /** Nothing younger is archived: followers of the log that were stopped for a while must still find everything. */
  olderThanDaysMin: 1,
  olderThanDaysMax: 36_500,
  /** Leaves that are looked up at a time. */
  leavesPerQuery: 5_000,
  /** Events that are read by their positions at a time: the log's own limit. */
  readAtPositions: 100,
  appendDeadlineMs: 30_000,
  databaseConnectionsMax: 2,
} as const;
