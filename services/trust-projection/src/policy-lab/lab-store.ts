import type { Actor, PolicyJobProgress, PolicyJobState } from '@agent-trust/contracts';
import { DomainError, isPolicyJobOver } from '@agent-trust/contracts';
import type { AnyTrustPolicy } from '@agent-trust/trust-policy';
import type pg from 'pg';
import { jobLimits } from '../jobs/limits.ts';
import { actorText, isAlive, showAlive } from '../jobs/liveness.ts';
import { openJobPool } from '../jobs/open-job-pool.ts';
import { labLimits } from './limits.ts';

export type LabKind = 'trial' | 'simulation';

/** A trial or a simulation as it is stored. `request` is what its process works on; `result` is of its kind. */
export type LabJob = {
  jobId: string;
  kind: LabKind;
  state: PolicyJobState;
  request: { policy: AnyTrustPolicy; seeds?: { first: number; count: number } };
  requestedBy: string | null;
  instanceId: string | null;
  requestedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  progress: PolicyJobProgress | null;
  result: unknown;
  error: string | null;
};

/** One thing of a result that is read by itself: an agent of a trial, an attack of a simulation. `shown` is what a list shows of it. */
export type LabItem = { ordinal: number; name: string; shown: unknown; detail: unknown };

// Beside the read models, and no part of what the log says. A job takes what belongs to it along.
const schemaSql = `
  SELECT pg_advisory_xact_lock(hashtextextended('migrate:policy_lab', 0));
  CREATE SCHEMA IF NOT EXISTS policy_lab;
  CREATE TABLE IF NOT EXISTS policy_lab.job (
    job_id text PRIMARY KEY,
    kind text NOT NULL,
    state text NOT NULL,
    request jsonb NOT NULL,
    requested_by text,
    instance_id text,
    requested_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz,
    asked_at timestamptz NOT NULL DEFAULT now(),
    cancelled_at timestamptz,
    progress jsonb,
    result jsonb,
    error text
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_at_a_time ON policy_lab.job (kind) WHERE ended_at IS NULL;
  CREATE TABLE IF NOT EXISTS policy_lab.item (
    job_id text NOT NULL REFERENCES policy_lab.job ON DELETE CASCADE,
    ordinal integer NOT NULL,
    name text NOT NULL,
    shown jsonb NOT NULL,
    detail jsonb NOT NULL,
    PRIMARY KEY (job_id, ordinal)
  );
  CREATE UNIQUE INDEX IF NOT EXISTS item_by_name ON policy_lab.item (job_id, name);`;

const columns = `job_id AS "jobId", kind, state, request, requested_by AS "requestedBy", instance_id AS "instanceId",
  requested_at AS "requestedAt", started_at AS "startedAt", ended_at AS "endedAt", progress, result, error`;
/** The lock that the process of a job holds while it lives. */
const lockName = (jobId: string): string => `'policy_lab:' || ${jobId}`;

/** The record of trials and simulations, for all instances and for their processes. */
export type LabStore = ReturnType<typeof storeOn>;

export async function openLabStore(
  connectionString: string,
  onLost: (error: Error) => void = () => undefined,
): Promise<LabStore> {
  const pool = openJobPool(connectionString, 'trust-projection policy lab', onLost);
  try {
    await pool.query(schemaSql);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return storeOn(pool);
}

const storeOn = (pool: pg.Pool) => {
  const select = async (where: string, values: unknown[]): Promise<LabJob[]> => {
    const { rows } = await pool.query<LabJob>(
      `SELECT ${columns} FROM policy_lab.job ${where} ORDER BY requested_at DESC LIMIT ${labLimits.keptMax + 1}`,
      values,
    );
    return rows;
  };

  /** Ends what has no process any more, and forgets what is old. */
  const settle = async (): Promise<void> => {
    await pool.query(
      `WITH forgotten AS (DELETE FROM policy_lab.job WHERE ended_at < now() - $2 * interval '1 millisecond')
       UPDATE policy_lab.job SET state = 'interrupted', ended_at = now(), error = 'its process ended without a word'
       WHERE ended_at IS NULL AND NOT ${isAlive(lockName('job_id'))}
         AND (state = 'running' OR requested_at < now() - $1 * interval '1 millisecond')`,
      [jobLimits.startMsMax, labLimits.keptMs],
    );
  };

  const find = async (kind: LabKind, jobId: string): Promise<LabJob | null> => {
    await settle();
    return (await select('WHERE kind = $1 AND job_id = $2', [kind, jobId]))[0] ?? null;
  };

  return {
    /** Newest first. */
    list: async (kind: LabKind): Promise<LabJob[]> => {
      await settle();
      return select('WHERE kind = $1', [kind]);
    },

    find,

    /** The job, for somebody who waits for it; null for an unknown one. */
    asked: async (kind: LabKind, jobId: string): Promise<LabJob | null> => {
      await pool.query('UPDATE policy_lab.job SET asked_at = now() WHERE job_id = $1 AND ended_at IS NULL', [jobId]);
      return find(kind, jobId);
    },

    /** @throws DomainError policy_job_in_progress */
    begin: async (
      job: Pick<LabJob, 'jobId' | 'kind' | 'request' | 'instanceId'> & { requestedBy: Actor },
    ): Promise<LabJob> => {
      const { jobId, kind, request, instanceId, requestedBy } = job;
      await settle();
      const { rows } = await pool.query<LabJob>(
        `INSERT INTO policy_lab.job (job_id, kind, state, request, requested_by, instance_id)
         VALUES ($1, $2, 'starting', $3, $4, $5) ON CONFLICT DO NOTHING RETURNING ${columns}`,
        [jobId, kind, JSON.stringify(request), actorText(requestedBy), instanceId],
      );
      await pool.query(
        `DELETE FROM policy_lab.job WHERE ended_at IS NOT NULL AND job_id IN (
           SELECT job_id FROM policy_lab.job WHERE kind = $1 ORDER BY requested_at DESC OFFSET ${labLimits.keptMax})`,
        [kind],
      );
      const [row] = rows;
      if (row !== undefined) return row;
      const [other] = await select('WHERE kind = $1 AND ended_at IS NULL', [kind]);
      throw new DomainError(
        'policy_job_in_progress',
        `${kind} ${other?.jobId ?? ''} is under way; wait until it ends, or cancel it`,
      );
    },

    /** Asks the process of a job to stop. @throws DomainError policy_job_not_found, policy_job_ended */
    cancel: async (kind: LabKind, jobId: string): Promise<LabJob> => {
      const found = await find(kind, jobId);
      if (found === null) throw jobNotFound(kind, jobId);
      if (isPolicyJobOver(found.state))
        throw new DomainError('policy_job_ended', `${kind} ${jobId} has ended: ${found.state}`);
      await pool.query(
        'UPDATE policy_lab.job SET cancelled_at = coalesce(cancelled_at, now()) WHERE job_id = $1 AND ended_at IS NULL',
        [jobId],
      );
      return found;
    },

    /** How far a job is. Returns why it must stop, or null. */
    progressed: async (jobId: string, progress: PolicyJobProgress): Promise<'cancelled' | 'abandoned' | null> => {
      const { rows } = await pool.query<{ isCancelled: boolean; isAbandoned: boolean }>(
        `UPDATE policy_lab.job SET state = 'running', started_at = coalesce(started_at, now()), progress = $2
         WHERE job_id = $1 AND ended_at IS NULL
         RETURNING cancelled_at IS NOT NULL AS "isCancelled", asked_at < now() - $3 * interval '1 millisecond' AS "isAbandoned"`,
        [jobId, JSON.stringify(progress), labLimits.unaskedMs],
      );
      const [row] = rows;
      // Somebody has declared this process dead, and another job may have begun.
      if (row === undefined || row.isCancelled) return 'cancelled';
      return row.isAbandoned ? 'abandoned' : null;
    },

    /** The first end stands. The progress is then that of the end. */
    ended: async (
      jobId: string,
      state: PolicyJobState,
      { result = null, error = null, progress = null }: Partial<Pick<LabJob, 'result' | 'error' | 'progress'>> = {},
    ): Promise<void> => {
      const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
      await pool.query(
        `UPDATE policy_lab.job SET state = $2, ended_at = now(), result = $3, error = $4, progress = coalesce($5, progress)
         WHERE job_id = $1 AND ended_at IS NULL`,
        [jobId, state, json(result), error, json(progress)],
      );
    },

    /** Keeps items of a job that has not ended. */
    keep: async (jobId: string, items: readonly LabItem[]): Promise<void> => {
      await pool.query(
        `INSERT INTO policy_lab.item (job_id, ordinal, name, shown, detail)
         SELECT $1, i.ordinal, i.name, i.shown, i.detail
         FROM jsonb_to_recordset($2) AS i(ordinal integer, name text, shown jsonb, detail jsonb)`,
        [jobId, JSON.stringify(items)],
      );
    },

    /** What a list shows of a job's items, in their order. */
    items: async (jobId: string, { limit, offset }: { limit: number; offset: number }): Promise<unknown[]> => {
      const { rows } = await pool.query<{ shown: unknown }>(
        'SELECT shown FROM policy_lab.item WHERE job_id = $1 AND ordinal >= $2 AND ordinal < $3 ORDER BY ordinal',
        [jobId, offset, offset + limit],
      );
      return rows.map(({ shown }) => shown);
    },

    /** One item by its name; null if the job has none. */
    item: async (jobId: string, name: string): Promise<LabItem | null> => {
      const { rows } = await pool.query<LabItem>(
        'SELECT ordinal, name, shown, detail FROM policy_lab.item WHERE job_id = $1 AND name = $2',
        [jobId, name],
      );
      return rows[0] ?? null;
    },

    live: (jobId: string): Promise<{ release: () => void }> => showAlive(pool, `policy_lab:${jobId}`),

    close: () => pool.end(),
  };
};

export function jobNotFound(kind: LabKind, jobId: string): DomainError {
  return new DomainError('policy_job_not_found', `there is no ${kind} ${jobId}; only the newest are kept`);
}
