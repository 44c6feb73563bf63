import { defineTable } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';

/** How much happened in production on a UTC day. Exchanges that left the log are not counted again by a later build. */
export const dailyActivity = defineTable({
  name: 'daily_activity',
  columns: { day: 'text', registrations: 'integer', calls: 'integer', reviews: 'integer' },
  key: ['day'],
});

type Count = 'registrations' | 'calls' | 'reviews';

export const dailyActivityProjection: RegistryProjection = {
  name: 'daily-activity',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [dailyActivity],
  reads: (event, wanted) => {
    if (countOf(event) !== null) wanted.row(dailyActivity, utcDay(event.recordedAt));
  },
  apply: (event, rows) => {
    const count = countOf(event);
    if (count === null) return;
    const day = utcDay(event.recordedAt);
    const before = rows.get(dailyActivity, day) ?? { day, registrations: 0, calls: 0, reviews: 0 };
    rows.put(dailyActivity, { ...before, [count]: before[count] + 1 });
  },
};

const utcDay = (time: Date): string => time.toISOString().slice(0, 10);

/** What an event counts as; null for all others, and for those of sandboxes. */
const countOf = (event: ProjectedRegistryEvent): Count | null => {
  switch (event.type) {
    case 'AgentRegistered':
      return event.data.universe.kind === 'production' ? 'registrations' : null;
    case 'ExchangeStarted':
      return event.data.universe.kind === 'production' ? 'calls' : null;
    case 'ExchangeReviewed':
      return event.data.universe.kind === 'production' ? 'reviews' : null;
    default:
      return null;
  }
};
