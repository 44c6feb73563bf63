/** Limits of segments and of the records that the log keeps of them. */
export const archiveLimits = {
  /** Exchanges of one segment: its record is one event, which every follower of the log reads. */
  segmentExchangesMax: 2_000,
  /** Bytes of the ids of the agents of one segment, in its record. */
  segmentAgentIdBytesMax: 200_000,
  /** Unpacked bytes of a list in a record, and of a segment: more is no list or segment of this registry. */
  unpackedBytesMax: 64 * 1024 * 1024,
  segmentBytesMax: 1024 * 1024 * 1024,
  /** Records read at a time; each holds up to half a megabyte. */
  recordsPerRead: 8,
} as const;
