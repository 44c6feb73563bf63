import { EventLogFormatError } from './errors.ts';

/**
 * What stands in the log, recorded with it when it is created. The number goes up when a build writes or reads events that other builds
 * cannot; a new version of an event with an upcaster needs none.
 */
export const logFormat = 1;

/** @param found the format that the log was created with; null where it has events and no format. Throws `EventLogFormatError` for any but this build's. */
export function ensureLogFormat(found: number | null): void {
  if (found === logFormat) return;
  throw new EventLogFormatError(
    found !== null && found > logFormat
      ? `The event log has format ${found} of a later build; this build reads format ${logFormat}. Start the build that wrote it.`
      : `The event log was written by an earlier build (format ${found ?? 'unknown'}), and this build reads format ${logFormat} only. Start with a new event log: an empty database, or another DATA_DIR.`,
  );
}
