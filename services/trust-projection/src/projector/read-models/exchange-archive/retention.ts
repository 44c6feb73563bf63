import { quoteIdentifier, readModelTypes, type Upkeep } from '@agent-trust/projections';
import type { ClientBase } from 'pg';
import { exchanges } from '../exchange-ledger/projection.ts';
import { archivedExchanges } from './projection.ts';

/** Limits of the removal of old exchanges from the read models. */
export const exchangeRetentionLimits = {
  /** Exchanges that leave at a time: the next batch of events waits for them, some ten milliseconds. */
  rowsPerStep: 500,
  /** Pause between two steps while more are due: up to 2,500 exchanges a second leave. */
  betweenStepsMs: 200,
  /** How often it looks whether more are due. */
  idleMs: 60_000,
  /**
   * From when an exchange cannot be reviewed any more until it leaves. A review that was decided before is in the log long before that, so
   * it finds the exchange, in the live rows as in a replay.
   */
  graceMs: 5 * 60_000,
  /** Exchanges that a replay takes out at a time: nothing waits for it. */
  rowsPerRepeat: 20_000,
} as const;

export type ExchangeRetentionOptions = {
  /** Exchanges that ended earlier, by the log's clock, leave; null keeps them for good. */
  olderThanMs: number | null;
  graceMs?: number;
  idleMs?: number;
  rowsPerStep?: number;
};

/**
 * Exchanges that nobody has reviewed leave the read models some time after their end. First they are closed, all up to a position: no review
 * of them is accepted. Later they leave, in the order of their ends. What is left of each is the hash of its id, by which a late review is
 * refused, and by which it is not counted again if its events are archived some day. Counters stay as they are.
 */
export function exchangeRetention({ olderThanMs, ...limits }: ExchangeRetentionOptions): Upkeep {
  const { graceMs, idleMs, rowsPerStep, betweenStepsMs, rowsPerRepeat } = { ...exchangeRetentionLimits, ...limits };
  return {
    tables: [exchanges, archivedExchanges],
    step:
      olderThanMs === null
        ? null
        : async (client) => {
            if (await areMoreDue(client, { rowsMax: rowsPerStep, graceMs })) return betweenStepsMs;
            await closeOlderThan(client, olderThanMs);
            return idleMs;
          },
    repeat: async (client, live) => {
      const { rows } = await client.query<Retention>({
        text: `SELECT ${columns} FROM ${quoteIdentifier(live)}.exchange_retention`,
        types: readModelTypes,
      });
      const [done] = rows;
      if (done === undefined) return;
      // As if all that has left the live rows had just been closed.
      await set(client, { ...done, closed_position: done.gone_position, closed_at: new Date(0), gone_position: 0n });
      while (await areMoreDue(client, { rowsMax: rowsPerRepeat, graceMs: 0 }));
      await set(client, done);
    },
  };
}

type Retention = { closed_position: bigint; closed_time: Date; closed_at: Date; gone_position: bigint };
const columns = 'closed_position, closed_time, closed_at, gone_position';

const set = async (
  client: ClientBase,
  { closed_position, closed_time, closed_at, gone_position }: Retention,
): Promise<void> => {
  await client.query(
    `INSERT INTO exchange_retention (only_row, ${columns}) VALUES (1, $1, $2, $3, $4)
     ON CONFLICT (only_row) DO UPDATE SET closed_position = excluded.closed_position, closed_time = excluded.closed_time,
       closed_at = excluded.closed_at, gone_position = excluded.gone_position`,
    [String(closed_position), closed_time, closed_at, String(gone_position)],
  );
};

/** Lets some closed exchanges leave, in one statement. The bounds are subqueries of their own, so that the index gives the first rows at once. */
const leave = `
  WITH due AS MATERIALIZED (
    SELECT gone_position, closed_position FROM exchange_retention
    WHERE gone_position < closed_position AND closed_at <= clock_timestamp() - $2 * interval '1 millisecond'
  ), leaving AS MATERIALIZED (
    SELECT transaction_id, ended_position FROM exchange
    WHERE NOT reviewed AND ended_position IS NOT NULL
      AND ended_position > (SELECT gone_position FROM due) AND ended_position <= (SELECT closed_position FROM due)
    ORDER BY ended_position LIMIT $1
  ), known AS (
    INSERT INTO archived_exchange (id_hash)
    SELECT ('x' || encode(substring(sha256(convert_to(transaction_id, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint FROM leaving
    ON CONFLICT DO NOTHING
  ), gone AS (
    DELETE FROM exchange x USING leaving l WHERE x.transaction_id = l.transaction_id
  )
  UPDATE exchange_retention r
  SET gone_position = CASE WHEN (SELECT count(*) FROM leaving) < $1 THEN r.closed_position ELSE (SELECT max(ended_position) FROM leaving) END
  WHERE EXISTS (SELECT FROM due)
  RETURNING gone_position < closed_position AS more`;

const areMoreDue = async (
  client: ClientBase,
  { rowsMax, graceMs }: { rowsMax: number; graceMs: number },
): Promise<boolean> => {
  const { rows } = await client.query<{ more: boolean }>(leave, [rowsMax, graceMs]);
  return rows[0]?.more === true;
};

/** Closes what ended before, as far as the log's clock has marks, once everything that was closed earlier has left. */
const closeOlderThan = async (client: ClientBase, ageMs: number): Promise<void> => {
  await client.query(
    `INSERT INTO exchange_retention (only_row, ${columns})
     SELECT 1, m.position, m.at, clock_timestamp(), 0 FROM (
       SELECT position, at FROM log_clock WHERE at <= clock_timestamp() - $1 * interval '1 millisecond'
       ORDER BY at DESC, position DESC LIMIT 1) m
     ON CONFLICT (only_row) DO UPDATE SET closed_position = excluded.closed_position, closed_time = excluded.closed_time,
       closed_at = excluded.closed_at
     WHERE exchange_retention.gone_position = exchange_retention.closed_position
       AND excluded.closed_position > exchange_retention.closed_position`,
    [ageMs],
  );
};
