import type { ReadModelDatabase } from '../../shared/database.ts';

/** The positions that a question asks about, both ends included; nothing at all where `lowest` is above `highest`. */
export type PositionBounds = {
  /** How far the log record has come; null before the first event. */
  upTo: bigint | null;
  lowest: bigint;
  highest: bigint;
};

type Row = { upTo: bigint | null; first: bigint | null; last: bigint | null };

/** Turns times into positions: the log's time never falls, so a stretch of time is a stretch of positions. */
export async function positionBounds(
  database: ReadModelDatabase,
  { from, to, after, before }: { from: Date | null; to: Date | null; after: bigint | null; before: bigint | null },
): Promise<PositionBounds> {
  // One statement, so one moment: an event that comes between two would be missed by one and seen by the other.
  const [row] = await database.query<Row>({
    name: 'audit-bounds',
    text: `SELECT p.position AS "upTo",
        (SELECT position FROM audit_event WHERE log_time >= $1::timestamptz ORDER BY log_time, position LIMIT 1) AS first,
        (SELECT position FROM audit_event WHERE log_time < $2::timestamptz ORDER BY log_time DESC, position DESC LIMIT 1) AS last
      FROM projection_checkpoint p`,
    values: [from, to],
  });
  if (row === undefined) throw new Error('the log record has no checkpoint');
  const upTo = row.upTo ?? -1n;
  const lowest = [after === null ? 0n : after + 1n, from === null ? 0n : (row.first ?? upTo + 1n)];
  const highest = [upTo, before === null ? upTo : before - 1n, to === null ? upTo : (row.last ?? -1n)];
  return { upTo: row.upTo, lowest: greatest(lowest), highest: least(highest) };
}

const greatest = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a));
const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
