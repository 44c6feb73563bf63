import type { EventLog } from '@agent-trust/event-log';
import { withArchivedLeaves } from '@agent-trust/log-archive';
import { type ConnectionSettings, inTransaction, replayReadModel, type ReplayProgress } from '@agent-trust/projections';
import { emptyRoot } from '@agent-trust/transparency-log';
import pg, { type ClientBase } from 'pg';
import { logRecordReadModel, logRecordSchema } from '../../audit/start-log-record.ts';
import { readActivatedPolicies } from '../../projector/activated-policies.ts';
import { registryReadModel } from '../../projector/read-models/registry-read-model.ts';
import { haltReplicas } from '../../replicas/halt-replicas.ts';
import { readModelSchema } from '../../shared/database.ts';

/** Longest wait for a connection. */
const connectTimeoutMs = 5_000;

/**
 * Makes the log as it is now the one of the registry: computes the log record and the read models from it, forgets what webhooks were still to
 * be told of events that it does not have, and gives it a new name if one is given. Until all of that is done, nothing is written; then the
 * services start again. Killed half-way, it is completed by running it again.
 *
 * @throws ReplayInProgressError, database and log errors
 */
export async function acceptLog(options: {
  connection: ConnectionSettings;
  log: EventLog;
  /** The last event that the log and what was computed have in common. */
  agreedPosition: bigint | null;
  newOrigin: string | undefined;
  onProgress: (progress: ReplayProgress, what: string) => void;
  signal: AbortSignal;
}): Promise<{ events: number; position: bigint | null }> {
  const { connection, log, newOrigin, onProgress, signal } = options;
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true });
  // The next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const agreedPosition = await beginAcceptance(client, options.agreedPosition);
    await replayReadModel({
      connection,
      schema: logRecordSchema,
      // As the service computes it: the tree has a leaf for every event that there ever was.
      log: withArchivedLeaves(log),
      readModel: await logRecordReadModel(),
      skipComparison: true,
      onProgress: (progress) => onProgress(progress, 'the log record'),
      signal,
    });
    const report = await replayReadModel({
      connection,
      schema: readModelSchema,
      log,
      readModel: await registryReadModel({ policies: () => readActivatedPolicies(log) }),
      skipComparison: true,
      beforeSwitch: () => haltReplicas(connection, readModelSchema),
      onProgress: (progress) => onProgress(progress, 'the read models'),
      signal,
    });
    await inTransaction(client, async () => {
      await forgetLostChanges(client, agreedPosition ?? -1n);
      if (newOrigin !== undefined) await beginOrigin(client, newOrigin);
      await client.query('UPDATE log_signing.accepted_log SET completed_at = now() WHERE completed_at IS NULL');
    });
    return { events: report.events, position: report.position };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** From here on nothing is written until the acceptance is complete. One that was killed goes on from where it found the logs to part. */
const beginAcceptance = async (client: ClientBase, agreedPosition: bigint | null): Promise<bigint | null> => {
  const { rows } = await client.query<{ agreed: string | null }>(
    `WITH begun AS (SELECT agreed_position FROM log_signing.accepted_log WHERE completed_at IS NULL ORDER BY number LIMIT 1),
      made AS (INSERT INTO log_signing.accepted_log (agreed_position)
        SELECT $1 WHERE NOT EXISTS (SELECT FROM begun) RETURNING agreed_position)
     SELECT agreed_position::text AS agreed FROM begun UNION ALL SELECT agreed_position::text FROM made`,
    [agreedPosition === null ? null : String(agreedPosition)],
  );
  const agreed = rows[0]?.agreed ?? null;
  return agreed === null ? null : BigInt(agreed);
};

/** Webhooks are told again from where the logs part, and nothing more of events that are gone. */
const forgetLostChanges = async (client: ClientBase, agreed: bigint): Promise<void> => {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('webhook_outbox.delivery') IS NOT NULL AS "isThere"`,
  );
  if (rows[0]?.isThere !== true) return;
  const at = [String(agreed)];
  await client.query('SET LOCAL search_path TO webhook_outbox');
  // In the order in which the dispatcher takes its locks.
  await client.query('UPDATE handed_over SET position = least(position, $1::bigint)', at);
  await client.query(
    `UPDATE hook SET starts_after = least(starts_after, $1::bigint), behind_at = least(behind_at, $1::bigint),
       replay_seen = least(replay_seen, $1::bigint), resume_from = least(resume_from, $1::bigint)`,
    at,
  );
  await client.query('DELETE FROM delivery WHERE position > $1::bigint', at);
  await client.query('DELETE FROM lane');
  await client.query(
    `INSERT INTO lane (webhook_id, agent_id, delivery_id, due_at)
     SELECT DISTINCT ON (webhook_id, agent_id) webhook_id, agent_id, delivery_id, now() FROM delivery
     WHERE dead_at IS NULL ORDER BY webhook_id, agent_id, position`,
  );
  await client.query(
    `UPDATE hook h SET pending = (SELECT count(*) FROM delivery d WHERE d.webhook_id = h.webhook_id AND d.dead_at IS NULL)`,
  );
};

/** A tree without leaves was signed under the new name: the next checkpoint continues that one. */
const beginOrigin = async (client: ClientBase, origin: string): Promise<void> => {
  await client.query(
    `INSERT INTO log_signing.signed_head (origin, size, root, last_position, last_leaf, signed_at)
     VALUES ($1, 0, $2, NULL, NULL, clock_timestamp())`,
    [origin, Buffer.from(emptyRoot)],
  );
};
