import { type LogEntry, leafHash, logEntryOf, type RecordedEventLike } from '@agent-trust/transparency-log';
import { type Bookmark, type SourceLeaf, unreadableHash } from './log-source.ts';

/** An event of the log as a leaf; `notAsWritten` says what of it no registry wrote so. */
export function leafOfEvent(event: RecordedEventLike, index: number, notAsWritten: string | null): SourceLeaf {
  const bookmark: Bookmark = { index, place: event.position };
  let entry: LogEntry;
  try {
    entry = logEntryOf(event);
  } catch {
    const message = `index ${index}, position ${event.position} (event ${event.eventId}) cannot be read`;
    return { index, entry: null, hash: unreadableHash, fault: { code: 'event_unreadable', message }, bookmark };
  }
  const fault =
    notAsWritten === null
      ? null
      : {
          code: 'event_changed' as const,
          message: `index ${index}, position ${event.position} (${event.type} of ${JSON.stringify(event.stream)}): ${notAsWritten}`,
        };
  return { index, entry, hash: leafHash(entry), fault, bookmark };
}
