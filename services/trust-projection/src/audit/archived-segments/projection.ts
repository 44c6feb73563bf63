import { archiveEvents } from '@agent-trust/contracts';
import { createEventRegistry } from '@agent-trust/event-log';
import { defineTable, type RowOf } from '@agent-trust/projections';
import type { LogRecordEvent, LogRecordProjection } from '../log-record-event.ts';

export const archivedSegments = defineTable({
  name: 'archived_segment',
  columns: {
    segment: 'text',
    recordPosition: 'bigint',
    firstPosition: 'bigint',
    lastPosition: 'bigint',
    eventCount: 'integer',
    exchangeCount: 'integer',
    endedFrom: 'timestamptz',
    endedTo: 'timestamptz',
    archivedAt: 'timestamptz',
    isRestored: 'boolean',
  },
  key: ['segment'],
});
export type ArchivedSegmentRow = RowOf<typeof archivedSegments>;

const registry = createEventRegistry(archiveEvents);
const types: ReadonlySet<string> = new Set(archiveEvents.map(({ type }) => type));

/** The event of the archive that a record of the log is; null for all others. */
const archiveEventOf = ({ recorded }: LogRecordEvent) =>
  types.has(recorded.type) ? registry.decodeKnown(recorded) : null;

/** Which segments there are, and which of them are in the log again. */
export const archivedSegmentsProjection: LogRecordProjection = {
  name: 'archived-segments',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [archivedSegments],
  reads: (event, wanted) => {
    const archived = archiveEventOf(event);
    if (archived !== null) wanted.row(archivedSegments, archived.data.segment);
  },
  apply: (event, rows) => {
    const archived = archiveEventOf(event);
    if (archived === null) return;
    if (archived.type === 'ExchangesArchived') {
      const { segment, eventCount, exchangeCount, firstPosition, lastPosition, ...times } = archived.data;
      rows.put(archivedSegments, {
        segment,
        recordPosition: event.position,
        firstPosition: BigInt(firstPosition),
        lastPosition: BigInt(lastPosition),
        eventCount,
        exchangeCount,
        endedFrom: new Date(times.endedFrom),
        endedTo: new Date(times.endedTo),
        archivedAt: new Date(times.archivedAt),
        isRestored: false,
      });
      return;
    }
    const before = rows.get(archivedSegments, archived.data.segment);
    if (before === undefined) return;
    rows.put(archivedSegments, { ...before, isRestored: archived.type === 'SegmentRestored' });
  },
};
