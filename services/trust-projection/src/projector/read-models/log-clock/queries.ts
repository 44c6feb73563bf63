import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';

/** An event and the time that the log had reached with it. */
export type LogMark = { position: bigint; at: Date };

/** The last mark up to a position or a time; null if there is none. One step in an index. */
export async function findLogMark(
  database: ReadModelDatabase,
  until: { position: bigint } | { time: Date },
): Promise<LogMark | null> {
  const [mark] = await database.query<LogMark>(
    'position' in until
      ? sql`SELECT position, at FROM log_clock WHERE position <= ${until.position}::bigint ORDER BY position DESC LIMIT 1`
      : sql`SELECT position, at FROM log_clock WHERE at <= ${until.time.toISOString()}::timestamptz
          ORDER BY at DESC, position DESC LIMIT 1`,
  );
  return mark ?? null;
}

/** The position of the read model, and the time that the log had reached there; each null while it is unknown. */
export async function findPresent(
  database: ReadModelDatabase,
): Promise<{ position: bigint | null; time: Date | null }> {
  const [present] = await database.query<{ position: bigint | null; time: Date | null }>(
    sql`SELECT p.position, n.at AS time FROM projection_checkpoint p LEFT JOIN log_clock_now n ON true`,
  );
  return present ?? { position: null, time: null };
}
