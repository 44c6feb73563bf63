import type { RecordedEvent } from './port.ts';

/** The record of an archived segment: an event of the log, and all positions of the segment in order. */
export type ArchivedPositions = { recordPosition: bigint; positions: readonly bigint[] };

/**
 * What only the user of retention may do with a log. Events leave it after a record of them was appended to it, and they come back
 * unchanged. Both are durable when they resolve, may be repeated, and go on where an earlier attempt was killed.
 *
 * All methods reject with `EventLogError`.
 */
export type LogRetention = {
  /**
   * Removes streams from the log, each with all of its events or not at all: a stream with an event that the record does not name stays. Afterwards it
   * reads as an unknown stream, and an append that expects one of its revisions is refused.
   *
   * @returns how many of the streams are no longer in the log, including those removed earlier
   */
  remove(record: ArchivedPositions, streams: readonly string[]): Promise<number>;
  /**
   * Puts removed events back at their positions.
   *
   * @returns how many were missing
   * @throws RestoreImpossibleError if the log cannot take an event back at its position
   */
  restore(record: ArchivedPositions, events: readonly RecordedEvent[]): Promise<number>;
  close(): Promise<void>;
};
