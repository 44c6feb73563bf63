import type { RegistryProjection } from '../registry-event.ts';
import { logClock, logClockNow } from './tables.ts';

const onlyRow = 'log';
/** A row for each event would double what an event costs; who looks for a time reads this many events of the log at most. */
const eventsPerMark = 128;

/** Tells times of the log: marks one event in so many with the time that the log had reached. */
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
