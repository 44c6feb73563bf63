import { defineTable } from '@agent-trust/projections';

/** An event of the log and the latest time that any event up to it was recorded at. */
export type LogClockRow = { position: bigint; at: Date };

/** The same of the last event of all; there is one such row. */
export type LogClockNowRow = { name: string; position: bigint; at: Date; eventsSince: number };

export const logClock = defineTable<LogClockRow>({
  name: 'log_clock',
  columns: { position: 'bigint', at: 'timestamptz' },
  key: ['position'],
  appendOnly: true,
});

export const logClockNow = defineTable<LogClockNowRow>({
  name: 'log_clock_now',
  columns: { name: 'text', position: 'bigint', at: 'timestamptz', eventsSince: 'integer' },
  key: ['name'],
});
