import sql, { raw } from 'sql-template-tag';
import { readModelSchema } from '../../shared/database.ts';
import type { OutboxDatabase } from './session.ts';

const readModels = raw(readModelSchema);

/**
 * Takes over the registered webhooks: new ones begin where they were registered, deleted ones go with all that waits for them, and
 * those with a replay request go back.
 *
 * @param filled position up to which the outbox is filled
 * @returns how many webhooks there are
 */
export async function syncHooks(outbox: OutboxDatabase, filled: bigint): Promise<number> {
  await outbox.query(
    sql`DELETE FROM hook h WHERE NOT EXISTS (SELECT FROM ${readModels}.webhook w WHERE w.webhook_id = h.webhook_id)`,
  );
  await outbox.query(sql`
    INSERT INTO hook (webhook_id, starts_after, behind_at)
    SELECT webhook_id, registered_position, CASE WHEN registered_position < ${filled} THEN registered_position END
    FROM ${readModels}.webhook w WHERE NOT EXISTS (SELECT FROM hook h WHERE h.webhook_id = w.webhook_id)`);
  // An active webhook keeps what has not been added for it yet, also where that is older than the requested position.
  const replayed = await outbox.query<{ webhookId: string; from: bigint }>(sql`
    UPDATE hook h SET replay_seen = asked.last, disabled_at = NULL, resume_from = NULL,
      starts_after = least(h.starts_after, asked.from_position - 1),
      behind_at = least(asked.from_position - 1,
        CASE WHEN h.disabled_at IS NULL THEN coalesce(h.behind_at, ${filled}::bigint) END)
    FROM (
      SELECT r.webhook_id, max(r.position) AS last, min(r.from_position) AS from_position FROM hook k
      JOIN ${readModels}.webhook_replay r ON r.webhook_id = k.webhook_id AND r.position > coalesce(k.replay_seen, -1)
      GROUP BY r.webhook_id
    ) asked
    WHERE asked.webhook_id = h.webhook_id
    RETURNING h.webhook_id, asked.from_position AS "from"`);
  for (const { webhookId, from } of replayed) await goBack(outbox, webhookId, from);
  const [counted] = await outbox.query<{ hooks: number }>(
    sql`SELECT count(*)::int AS hooks FROM hook WHERE disabled_at IS NULL`,
  );
  return counted?.hooks ?? 0;
}

/** Everything from the position on is added again, dead letters too, so that each agent's changes come in order. */
const goBack = async (outbox: OutboxDatabase, webhookId: string, from: bigint): Promise<void> => {
  await outbox.query(sql`DELETE FROM delivery WHERE webhook_id = ${webhookId} AND position >= ${from}`);
  await outbox.query(sql`DELETE FROM lane WHERE webhook_id = ${webhookId}`);
  await outbox.query(sql`
    INSERT INTO lane (webhook_id, agent_id, delivery_id, due_at)
    SELECT DISTINCT ON (agent_id) webhook_id, agent_id, delivery_id, now() FROM delivery
    WHERE webhook_id = ${webhookId} AND dead_at IS NULL ORDER BY agent_id, position`);
  await outbox.query(sql`
    UPDATE hook SET pending = (SELECT count(*) FROM delivery WHERE webhook_id = ${webhookId} AND dead_at IS NULL)
    WHERE webhook_id = ${webhookId}`);
};
