import pg from 'pg';
import type { AdapterOptions } from '../adapter.ts';
import { eventLogLimits } from '../limits.ts';
import type { LogRetention } from '../retention.ts';
import type { RecordedEvent } from '../port.ts';
import { withoutScans } from './read.ts';
import { readFailure } from './sql-errors.ts';

/** Statements are planned for their lists: a plan for lists of any length compares each position with each stream. */
const sessionSettings = `${withoutScans} -c plan_cache_mode=force_custom_plan`;

/**
 * Retention in the Postgres log. `url` names the user of retention (see `grantEventLogAccess`). Each transaction holds the lock of appends,
 * so it removes a few hundred streams, or restores a few hundred events, and lets appends go before the next.
 */
export function openPostgresRetention(url: string, options: AdapterOptions = {}): LogRetention {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: eventLogLimits.connectDeadlineMs,
    keepAlive: true,
    max: 1,
    options: sessionSettings,
    application_name: `${options.applicationName ?? 'event-log'} (retention)`,
    statement_timeout: eventLogLimits.readDeadlineMs,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const count = async (what: string, text: string, values: readonly unknown[]): Promise<number> => {
    try {
      const { rows } = await pool.query<{ count: string }>(text, [...values]);
      return Number(rows[0]?.count ?? 0);
    } catch (error) {
      throw readFailure(what, error);
    }
  };
  return {
    remove: async ({ recordPosition, positions }, streams) => {
      let gone = 0;
      for (let from = 0; from < streams.length; from += eventLogLimits.retentionStreamsPerTransaction) {
        const some = streams.slice(from, from + eventLogLimits.retentionStreamsPerTransaction);
        const values = [recordPosition, positions, some];
        gone += await count(
          'Removing archived events',
          'select event_log.remove_archived($1, $2, $3) as count',
          values,
        );
      }
      return gone;
    },
    restore: async (record, events) => {
      let restored = 0;
      for (let from = 0; from < events.length; from += eventLogLimits.retentionEventsPerTransaction) {
        const some = events.slice(from, from + eventLogLimits.retentionEventsPerTransaction);
        restored += await count(
          'Restoring archived events',
          'select event_log.restore_archived($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as count',
          [record.recordPosition, record.positions, ...columnsOf(some)],
        );
      }
      return restored;
    },
    close: () => pool.end(),
  };
}

const columnsOf = (events: readonly RecordedEvent[]): unknown[][] => [
  events.map(({ position }) => position),
  events.map(({ eventId }) => eventId),
  events.map(({ stream }) => stream),
  events.map(({ revision }) => revision),
  events.map(({ type }) => type),
  events.map(({ data }) => JSON.stringify(data)),
  events.map(({ metadata }) => JSON.stringify(metadata)),
  events.map(({ recordedAt }) => recordedAt.toISOString()),
];
