import type { ReadModelDatabase } from '../../../shared/database.ts';

/** An event and the time that the log had reached with it. */
export type LogMark = { position: bigint; at: Date };

/** The last mark up to a position or a time; null when there is none. One step in an index. */
export async function findLogMark(
  database: ReadModelDatabase,
  until: { position: bigint } | { time: Date },
): Promise<LogMark | null> {
  const rows =
    'position' in until
      ? await database.query<LogMark>({
          name: 'log-mark-by-position',
          text: 'SELECT position, at FROM log_clock WHERE position <= $1::bigint ORDER BY position DESC LIMIT 1',
          values: [String(until.position)],
        })
      : await database.query<LogMark>({
          name: 'log-mark-by-time',
          text: 'SELECT position, at FROM log_clock WHERE at <= $1::timestamptz ORDER BY at DESC, position DESC LIMIT 1',
          values: [until.time.toISOString()],
        });
  return rows[0] ?? null;
}

/** Where the read model is, and what time it was then; each null while that is unknown. */
export async function findPresent(
  database: ReadModelDatabase,
): Promise<{ position: bigint | null; time: Date | null }> {
  const [present] = await database.query<{ position: bigint | null; time: Date | null }>({
    name: 'present-moment',
    text: 'SELECT p.position, n.at AS time FROM projection_checkpoint p LEFT JOIN log_clock_now n ON true',
    values: [],
  });
  return present ?? { position: null, time: null };
}
