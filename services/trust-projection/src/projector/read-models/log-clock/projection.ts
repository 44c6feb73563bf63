import { defineTable } from '@agent-trust/projections';
import type { RegistryProjection } from '../registry-event.ts';

const onlyRow = 'log';
/** A row for each event would double what an event costs. A lookup of a time reads at most this many events of the log. */
const eventsPerMark = 128;

/** An event of the log and the latest time at which any event up to it was recorded. */
export const logClock = defineTable({
  name: 'log_clock',
  columns: { position: 'bigint', at: 'timestamptz' },
  key: ['position'],
  appendOnly: true,
});

/** The same of the last event; one row. */
export const logClockNow = defineTable({
  name: 'log_clock_now',
  columns: { name: 'text', position: 'bigint', at: 'timestamptz', eventsSince: 'integer' },
  key: ['name'],
});

/** Maps times to positions: marks one event in so many with the time that the log had reached. */
export const logClockProjection: RegistryProjection = {
  name: 'log-clock',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [logClock, logClockNow],
  reads: (_event, wanted) => wanted.row(logClockNow, onlyRow),
  apply: ({ position, recordedAt }, rows) => {
    const before = rows.get(logClockNow, onlyRow);
    const at = before !== undefined && before.at > recordedAt ? before.at : recordedAt;
    const isMark = before === undefined || before.eventsSince + 1 >= eventsPerMark;
    if (isMark) rows.insert(logClock, { position, at });
    rows.put(logClockNow, { name: onlyRow, position, at, eventsSince: isMark ? 0 : before.eventsSince + 1 });
  },
};
