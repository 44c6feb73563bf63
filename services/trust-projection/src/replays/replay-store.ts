import { type Actor, DomainError, isReplayOver, type Replay, type ReplayState } from '@agent-trust/contracts';
import type pg from 'pg';
import { actorText, isAlive, showAlive } from '../jobs/liveness.ts';
import { openJobPool } from '../jobs/open-job-pool.ts';
import { jobLimits } from '../jobs/limits.ts';
import { replayLimits } from './limits.ts';

/** Who runs a replay, and by whose wish. */
export type ReplayRequest = {
  replayId: string;
  acceptDifferences: boolean;
  /** Name of the trust policy that it puts in force; null for none. */
  policy: string | null;
  requestedBy: Actor | null;
  instanceId: string | null;
};

type Row = {
  replay_id: string;
  state: ReplayState;
  accept_differences: boolean;
  policy: string | null;
  requested_by: string | null;
  instance_id: string | null;
  requested_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  progress: Replay['progress'];
  result: Replay['result'];
  error: string | null;
};

// Beside the read models, which a replay exchanges, and no part of what the log says.
const schemaSql = `
  SELECT pg_advisory_xact_lock(hashtextextended('migrate:replay_record', 0));
  CREATE SCHEMA IF NOT EXISTS replay_record;
  CREATE TABLE IF NOT EXISTS replay_record.replay (
    replay_id text PRIMARY KEY,
    state text NOT NULL,
    accept_differences boolean NOT NULL,
    requested_by text,
    instance_id text,
    requested_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz,
    cancelled_at timestamptz,
    progress jsonb,
    result jsonb,
    error text
  );
  ALTER TABLE replay_record.replay ADD COLUMN IF NOT EXISTS policy text;
  CREATE UNIQUE INDEX IF NOT EXISTS one_at_a_time ON replay_record.replay ((true)) WHERE ended_at IS NULL;`;

/** The lock that the process of a replay holds while it lives. */
const lockName = (replayId: string): string => `'replay:' || ${replayId}`;

const columns =
  'replay_id, state, accept_differences, policy, requested_by, instance_id, requested_at, started_at, ended_at, progress, result, error';

const replayOf = (row: Row): Replay => ({
  replayId: row.replay_id,
  state: row.state,
  acceptDifferences: row.accept_differences,
  policy: row.policy,
  requestedBy: row.requested_by,
  instanceId: row.instance_id,
  requestedAt: row.requested_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  progress: row.progress,
  result: row.result,
  error: row.error,
});

/** The record of replays, for all instances and for the command. */
export type ReplayStore = ReturnType<typeof storeOn>;

export async function openReplayStore(
  connectionString: string,
  onLost: (error: Error) => void = () => undefined,
): Promise<ReplayStore> {
  const pool = openJobPool(connectionString, 'trust-projection replays', onLost);
  try {
    await pool.query(schemaSql);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return storeOn(pool);
}

const storeOn = (pool: pg.Pool) => {
  const select = async (where: string, values: unknown[] = []): Promise<Replay[]> => {
    const { rows } = await pool.query<Row>(
      `SELECT ${columns} FROM replay_record.replay ${where} ORDER BY requested_at DESC LIMIT ${replayLimits.keptMax}`,
      values,
    );
    return rows.map(replayOf);
  };

  /** Ends what has no process any more. */
  const settle = async (): Promise<void> => {
    await pool.query(
      `UPDATE replay_record.replay SET state = 'interrupted', ended_at = now(), error = 'its process ended without a word'
       WHERE ended_at IS NULL AND NOT ${isAlive(lockName('replay_id'))}
         AND (state = 'running' OR requested_at < now() - $1 * interval '1 millisecond')`,
      [jobLimits.startMsMax],
    );
  };
  const find = async (replayId: string): Promise<Replay | null> => {
    await settle();
    return (await select('WHERE replay_id = $1', [replayId]))[0] ?? null;
  };

  return {
    find,

    /** Newest first. */
    list: async (): Promise<Replay[]> => {
      await settle();
      return select('');
    },

    running: async (): Promise<Replay | null> => {
      await settle();
      return (await select('WHERE ended_at IS NULL'))[0] ?? null;
    },

    /** @throws DomainError replay_in_progress */
    begin: async ({ replayId, acceptDifferences, policy, requestedBy, instanceId }: ReplayRequest): Promise<Replay> => {
      await settle();
      const by = requestedBy === null ? null : actorText(requestedBy);
      const { rows } = await pool.query<Row>(
        `INSERT INTO replay_record.replay (replay_id, state, accept_differences, policy, requested_by, instance_id)
         VALUES ($1, 'starting', $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING ${columns}`,
        [replayId, acceptDifferences, policy, by, instanceId],
      );
      await pool.query(
        `DELETE FROM replay_record.replay WHERE ended_at IS NOT NULL AND replay_id IN (
           SELECT replay_id FROM replay_record.replay ORDER BY requested_at DESC OFFSET ${replayLimits.keptMax})`,
      );
      const [row] = rows;
      if (row !== undefined) return replayOf(row);
      const [other] = await select('WHERE ended_at IS NULL');
      throw new DomainError(
        'replay_in_progress',
        `replay ${other?.replayId ?? ''} is under way; wait until it ends, or cancel it`,
      );
    },

    /** Asks the process of a replay to stop. @throws DomainError replay_not_found, replay_ended */
    cancel: async (replayId: string): Promise<Replay> => {
      const found = await find(replayId);
      if (found === null)
        throw new DomainError(
          'replay_not_found',
          `there is no replay ${replayId}; the newest ${replayLimits.keptMax} are kept`,
        );
      if (isReplayOver(found.state))
        throw new DomainError('replay_ended', `replay ${replayId} has ended: ${found.state}`);
      await pool.query(
        'UPDATE replay_record.replay SET cancelled_at = coalesce(cancelled_at, now()) WHERE replay_id = $1',
        [replayId],
      );
      return found;
    },

    /** How far a replay is. Returns whether it was cancelled. */
    progressed: async (replayId: string, progress: Replay['progress']): Promise<boolean> => {
      const { rows } = await pool.query<{ cancelled: boolean }>(
        `UPDATE replay_record.replay SET state = 'running', started_at = coalesce(started_at, now()), progress = $2
         WHERE replay_id = $1 AND ended_at IS NULL RETURNING cancelled_at IS NOT NULL AS cancelled`,
        [replayId, JSON.stringify(progress)],
      );
      // Somebody has declared this process dead, and another replay may have begun.
      return rows[0]?.cancelled ?? true;
    },

    /** The first end stands. */
    ended: async (
      replayId: string,
      state: ReplayState,
      { result = null, error = null }: { result?: Replay['result']; error?: string | null } = {},
    ): Promise<void> => {
      await pool.query(
        `UPDATE replay_record.replay SET state = $2, ended_at = now(), result = $3, error = $4
         WHERE replay_id = $1 AND ended_at IS NULL`,
        [replayId, state, result === null ? null : JSON.stringify(result), error],
      );
    },

    /** Shows that the process lives, until it ends or releases this. */
    live: (replayId: string): Promise<{ release: () => void }> => showAlive(pool, `replay:${replayId}`),

    close: () => pool.end(),
  };
};
