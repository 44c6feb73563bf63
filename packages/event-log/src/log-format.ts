import { EventLogFormatError } from './errors.ts';

/**
 * The format of the log, recorded when it is created. The number increases when a build writes or reads events that other builds cannot; a new
 * version of an event with an upcaster needs no increase.
 */
export const logFormat = 2;

/**
 * @param found the format with which the log was created; null if it has events and no format. Throws `EventLogFormatError` for any format but this
 *   build's.
 */
export function ensureLogFormat(found: number | null): void {
  if (found === logFormat) return;
  throw new EventLogFormatError(
    found !== null && found > logFormat
      ? `The event log has format ${found} of a later build; this build reads format ${logFormat}. Start the build that wrote it.`
      : `The event log was written by an earlier build (format ${found ?? 'unknown'}), and this build reads format ${logFormat} only. Start with a new event log: an empty database, or another DATA_DIR.`,
  );
}
