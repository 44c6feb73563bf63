import { defineTable } from '@agent-trust/projections';

/** An event of the log and the latest time that any event up to it was recorded at. */
export const logClock = defineTable({
  name: 'log_clock',
  columns: { position: 'bigint', at: 'timestamptz' },
  key: ['position'],
  appendOnly: true,
});

/** The same of the last event of all; there is one such row. */
export const logClockNow = defineTable({
  name: 'log_clock_now',
  columns: { name: 'text', position: 'bigint', at: 'timestamptz', eventsSince: 'integer' },
  key: ['name'],
});
