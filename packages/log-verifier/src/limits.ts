export const verifierLimits = {
  /** Longest line of an export: the largest event (1 MB), as JSON text with every character escaped. */
  exportLineBytesMax: 8 * 1024 * 1024,
  /** Events, and bytes of their data, read from the event log in one round trip; one page is read ahead. */
  pageEventsMax: 2_000,
  pageBytesMax: 8 * 1024 * 1024,
  pageDeadlineMs: 60_000,
  connectDeadlineMs: 10_000,
  /** Time that one answer of a registry may take, and bytes of one that is no tile. */
  fetchDeadlineMs: 15_000,
  answerBytesMax: 256 * 1024,
  /** Findings that are reported one by one; the rest are counted. */
  findingsMax: 20,
  /** Blocks of 256 events that are searched, event by event, for what differs. */
  blocksSearchedMax: 8,
  /** Events that may be missing or added in one place and still be distinguished from changed ones. */
  shiftEventsMax: 256,
} as const;
