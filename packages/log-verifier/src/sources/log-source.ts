import type { ArchiveRecord } from '@agent-trust/log-archive';
import { leafHash, type LogEntry, logEntryOf, type RecordedEventLike } from '@agent-trust/transparency-log';

/** Where a leaf stands in its source, so that it can be read again: a byte of a file, a position of the log. */
export type Bookmark = { index: number; place: bigint };

export type LeafFaultCode = 'event_changed' | 'event_unreadable' | 'event_missing' | 'event_order';
/** `count`: how many events are missing. */
export type LeafFault = { code: LeafFaultCode; message: string; count?: number };

export type SourceLeaf = {
  index: number;
  entry: LogEntry | null;
  /** The hash of the event as it is, whatever is said of it beside it. */
  hash: Uint8Array;
  /** What can be seen to be wrong without a tree. */
  fault: LeafFault | null;
  bookmark: Bookmark;
};

export type LogSource = {
  /** For people; without credentials. */
  description: string;
  /** The leaves in order, from the first or from a bookmark, in pages of bounded size. */
  pages(from?: Bookmark): AsyncIterable<readonly SourceLeaf[]>;
  /** What is to be said of the source once it was read to its end. */
  remarks(): string[];
  /** The records of what was archived, where the source has them. */
  records?(): AsyncIterable<ArchiveRecord>;
  close(): Promise<void>;
};

/** The leaf of an event that cannot be read, with a hash that no event has. */
export function unreadableLeaf(bookmark: Bookmark, message: string): SourceLeaf {
  const fault = { code: 'event_unreadable', message } as const;
  return { index: bookmark.index, entry: null, hash: new Uint8Array(32), fault, bookmark };
}

/** An event in the words of a report. */
export function eventName(entry: LogEntry | null): string {
  return entry === null
    ? 'an event'
    : `${entry.type} at position ${entry.position}, revision ${entry.revision} of stream ${JSON.stringify(entry.stream)}`;
}

/** An event of the log as a leaf; `notAsWritten` says what of it no registry wrote so. */
export function leafOfEvent(event: RecordedEventLike, index: number, notAsWritten: string | null): SourceLeaf {
  const bookmark: Bookmark = { index, place: event.position };
  let entry: LogEntry;
  try {
    entry = logEntryOf(event);
  } catch {
    return unreadableLeaf(
      bookmark,
      `index ${index}, position ${event.position} (event ${event.eventId}) cannot be read`,
    );
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
