import { z } from 'zod';
import { defineEvent, type EventOf } from '../event.ts';
import { positionText, sha256Hex, timestamp } from '../text.ts';

/** The stream that says which exchanges have left the log; its order is the order of the positions that they had. */
export const archiveStream = 'log-archive';

/** The name of a segment, which is also the name of its file without the ending. */
export const segmentName = z.string().regex(/^exchanges-\d{1,20}-\d{1,20}$/u);

/**
 * Exchanges that ended long ago, and that nobody has reviewed, are in a segment outside the log, and are removed from the log after this
 * event. It keeps what the registry goes on to need of them: their leaves in the log's tree, and what each one counts for.
 */
export const exchangesArchived = defineEvent(
  'ExchangesArchived',
  {
    segment: segmentName,
    /** SHA-256 and size of the segment's file. */
    fileSha256: sha256Hex,
    fileBytes: z.number().int(),
    eventCount: z.number().int(),
    exchangeCount: z.number().int(),
    firstPosition: positionText,
    lastPosition: positionText,
    /** Every archived event up to this position is in this segment or an earlier one. */
    completeUpTo: positionText,
    /** When the first and the last of the exchanges ended, by the log's clock. */
    endedFrom: timestamp,
    endedTo: timestamp,
    /** SHA-256 of the positions of the events, in order, as decimal digits with commas between them: the log removes these and no others. */
    positionsSha256: sha256Hex,
    /** The agents of the exchanges, each once. */
    agentIds: z.array(z.string()),
    /** The exchanges, packed: see packages/log-archive. */
    exchanges: z.string(),
    /** Positions, event ids and leaf hashes of the events, packed: see packages/log-archive. */
    leaves: z.string(),
    archivedAt: timestamp,
  },
  { standingOf: ['agentIds'] },
);

/** The events of a segment are in the log again, at their positions. What was counted and said of them as archived stays. */
export const segmentRestored = defineEvent('SegmentRestored', { segment: segmentName, restoredAt: timestamp });

/** The events of a restored segment have left the log again. */
export const segmentRemoved = defineEvent('SegmentRemoved', { segment: segmentName, removedAt: timestamp });

export type ExchangesArchived = z.infer<typeof exchangesArchived.event>;
/** Events of the stream of the archive. */
export const archiveEvents = [exchangesArchived, segmentRestored, segmentRemoved] as const;
export type ArchiveEvent = EventOf<(typeof archiveEvents)[number]>;
