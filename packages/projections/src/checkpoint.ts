import pg, { type ClientBase, type QueryConfig } from 'pg';
import { readModelTypes } from './row-sql.ts';
import { quoteIdentifier } from './table.ts';

/**
 * How far a read model has come, and which build of it this is. `position` is null before the first event; `eventId` is that of the event at
 * the position, by which the log is known again, and null in a schema of an earlier version, as `fingerprint` is.
 */
export type Checkpoint = {
  position: bigint | null;
  eventId: string | null;
  generation: string;
  fingerprint: string | null;
};

/** The event up to which a read model was computed. */
export type ReachedEvent = { position: bigint; eventId: string };

/** Another runner has written, or a replay has switched the schema: the rows of this runner are out of date. */
export class CheckpointMovedError extends Error {
  constructor(schema: string, options?: ErrorOptions) {
    super(`the checkpoint of ${schema} is no longer where this runner left it`, options);
    this.name = 'CheckpointMovedError';
  }
}

/** The channel on which commits announce their position, whichever build is live. */
export function checkpointChannel(schema: string): string {
  return `checkpoint:${schema}`;
}

/** @param options.forUpdate locks the row until the transaction ends, which blocks every runner */
export async function readCheckpoint(
  client: ClientBase,
  schema: string,
  options: { forUpdate?: boolean } = {},
): Promise<Checkpoint> {
  const { rows } = await client.query<Checkpoint>({
    text:
      `SELECT position, to_jsonb(c) ->> 'event_id' AS "eventId", generation, to_jsonb(c) ->> 'schema_fingerprint' AS fingerprint
        FROM ${quoteIdentifier(schema)}.projection_checkpoint c` + (options.forUpdate === true ? ' FOR UPDATE' : ''),
    types: readModelTypes,
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`schema ${schema} has no checkpoint`);
  return row;
}

/**
 * Moves the checkpoint and announces it on commit; `asCheckpointMoved` reads its failure.
 *
 * It is the fence that applies every event once: the row lock blocks a concurrent writer, and an unexpected checkpoint means that another
 * has written since. Then the statement fails (it divides by the number of moved rows) and ends the transaction, so that the statements
 * after it can be sent without waiting for its answer.
 */
export const fence = {
  /** A part of a WITH clause by the name `moved` … */
  moved: `UPDATE projection_checkpoint SET position = $1, event_id = $5, updated_at = now()
      WHERE position IS NOT DISTINCT FROM $2 AND generation = $3
      RETURNING pg_notify($4, position::text)`,
  /** … and what selects from it. */
  result: 'SELECT 1 / count(*) FROM moved',
  parameters: 5,
  values: (schema: string, expected: Checkpoint, { position, eventId }: ReachedEvent): (string | null)[] => [
    String(position),
    expected.position === null ? null : String(expected.position),
    expected.generation,
    checkpointChannel(schema),
    eventId,
  ],
} as const;

/** The fence as a statement of its own, the first of a transaction. */
export function advanceCheckpoint(schema: string, expected: Checkpoint, reached: ReachedEvent): QueryConfig {
  return {
    name: 'advance-checkpoint',
    text: `WITH moved AS (${fence.moved}) ${fence.result}`,
    values: fence.values(schema, expected, reached),
  };
}

const divisionByZero = '22012';

/** Maps the error of a transaction with the fence. */
export function asCheckpointMoved(schema: string, error: unknown): unknown {
  return error instanceof pg.DatabaseError && error.code === divisionByZero
    ? new CheckpointMovedError(schema, { cause: error })
    : error;
}
