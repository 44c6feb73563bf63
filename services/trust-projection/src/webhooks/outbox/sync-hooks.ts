import type pg from 'pg';
import { readModelSchema } from '../../shared/database.ts';

const webhook = `${readModelSchema}.webhook`;

/**
 * Takes over which webhooks there are: new ones begin where they were registered, deleted ones go with all that waits for them,
 * and those with a replay request go back.
 *
 * @param filled position up to which the outbox is filled.
 * @returns how many webhooks there are.
 */
export async function syncHooks(client: pg.Client, filled: bigint): Promise<number> {
  await client.query({
    name: 'hooks-ended',
    text: `DELETE FROM hook h WHERE NOT EXISTS (SELECT FROM ${webhook} w WHERE w.webhook_id = h.webhook_id)`,
  });
  await client.query({
    name: 'hooks-begun',
    text: `INSERT INTO hook (webhook_id, starts_after, behind_at)
      SELECT webhook_id, registered_position, CASE WHEN registered_position < $1 THEN registered_position END
      FROM ${webhook} w WHERE NOT EXISTS (SELECT FROM hook h WHERE h.webhook_id = w.webhook_id)`,
    values: [String(filled)],
  });
  const { rows } = await client.query<{ webhookId: string; from: bigint }>({
    name: 'hooks-replayed',
    // An active webhook keeps what has not been added for it yet, also where that is older than the requested position.
    text: `UPDATE hook h SET replay_seen = asked.last, disabled_at = NULL, resume_from = NULL,
        starts_after = least(h.starts_after, asked.from_position - 1),
        behind_at = least(asked.from_position - 1, CASE WHEN h.disabled_at IS NULL THEN coalesce(h.behind_at, $1::bigint) END)
      FROM (
        SELECT r.webhook_id, max(r.position) AS last, min(r.from_position) AS from_position
        FROM hook k JOIN ${readModelSchema}.webhook_replay r ON r.webhook_id = k.webhook_id AND r.position > coalesce(k.replay_seen, -1)
        GROUP BY r.webhook_id
      ) asked
      WHERE asked.webhook_id = h.webhook_id
      RETURNING h.webhook_id AS "webhookId", asked.from_position AS "from"`,
    values: [String(filled)],
  });
  for (const { webhookId, from } of rows) await goBack(client, webhookId, from);
  const counted = await client.query<{ hooks: number }>({
    name: 'hooks-count',
    text: 'SELECT count(*)::int AS hooks FROM hook WHERE disabled_at IS NULL',
  });
  return counted.rows[0]?.hooks ?? 0;
}

/** What waits from the position on is added again, so that each agent's changes come in order; so are its dead letters. */
const goBack = async (client: pg.Client, webhookId: string, from: bigint): Promise<void> => {
  await client.query('DELETE FROM delivery WHERE webhook_id = $1 AND position >= $2', [webhookId, String(from)]);
  await client.query('DELETE FROM lane WHERE webhook_id = $1', [webhookId]);
  await client.query(
    `INSERT INTO lane (webhook_id, agent_id, delivery_id, due_at)
      SELECT DISTINCT ON (agent_id) webhook_id, agent_id, delivery_id, now() FROM delivery
      WHERE webhook_id = $1 AND dead_at IS NULL ORDER BY agent_id, position`,
    [webhookId],
  );
  await client.query(
    'UPDATE hook SET pending = (SELECT count(*) FROM delivery WHERE webhook_id = $1 AND dead_at IS NULL) WHERE webhook_id = $1',
    [webhookId],
  );
};
