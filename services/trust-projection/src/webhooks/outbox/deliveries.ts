import { limits } from '@agent-trust/contracts';
import type pg from 'pg';
import { readModelSchema } from '../../shared/database.ts';
import { webhookLimits } from '../limits.ts';

/** A change that is due to be sent, with where to and what its signature is made from. */
export type DueDelivery = {
  deliveryId: bigint;
  webhookId: string;
  url: string;
  secretSalt: string;
  messageId: string;
  agentId: string;
  position: bigint;
  at: Date;
  trustPolicy: string;
  trustScore: number;
  previousScore: number | null;
  causeType: string;
  causeEventId: string;
  transactionId: string | null;
  /** Attempts before this one. */
  attempts: number;
};

/** The next changes of agents whose turn it is, those due for longest first; of webhooks that have no place left, none. */
export async function dueDeliveries(
  client: pg.Client,
  now: Date,
  fullWebhooks: readonly string[],
): Promise<DueDelivery[]> {
  const { rows } = await client.query<DueDelivery>({
    name: 'due-deliveries',
    text: `SELECT d.delivery_id AS "deliveryId", d.webhook_id AS "webhookId", w.url, w.secret_salt AS "secretSalt",
        d.message_id AS "messageId", d.agent_id AS "agentId", d.position, d.at, d.trust_policy AS "trustPolicy",
        d.trust_score AS "trustScore", d.previous_score AS "previousScore", d.cause_type AS "causeType",
        d.cause_event_id AS "causeEventId", d.transaction_id AS "transactionId", d.attempts
      FROM hook h JOIN ${readModelSchema}.webhook w ON w.webhook_id = h.webhook_id
      CROSS JOIN LATERAL (
        SELECT l.delivery_id, l.due_at FROM lane l WHERE l.webhook_id = h.webhook_id AND l.due_at <= $1
        ORDER BY l.due_at LIMIT ${2 * webhookLimits.messagesAtOncePerWebhookMax}
      ) l JOIN delivery d ON d.delivery_id = l.delivery_id
      WHERE h.pending > 0 AND h.disabled_at IS NULL AND h.webhook_id <> ALL ($2::text[])
      ORDER BY l.due_at LIMIT ${webhookLimits.dueAtATimeMax}`,
    values: [now, fullWebhooks],
  });
  return rows;
}

/** When the next message is due that is not due yet; null for none. */
export async function nextDueAt(client: pg.Client, now: Date): Promise<Date | null> {
  const { rows } = await client.query<{ dueAt: Date | null }>({
    name: 'next-due-at',
    text: 'SELECT min(due_at) AS "dueAt" FROM lane WHERE due_at > $1',
    values: [now],
  });
  return rows[0]?.dueAt ?? null;
}

// After a message that is delivered or given up it is the turn of the agent's next one, if there is one.
const turnToNext = `
  next AS (
    SELECT d.delivery_id FROM delivery d JOIN ended e USING (webhook_id, agent_id)
    WHERE d.dead_at IS NULL AND d.delivery_id <> $1 ORDER BY d.position LIMIT 1
  ), moved AS (
    UPDATE lane SET delivery_id = next.delivery_id, due_at = $2, unreached = false FROM next WHERE lane.delivery_id = $1
  ), emptied AS (
    DELETE FROM lane WHERE delivery_id = $1 AND NOT EXISTS (SELECT FROM next)
  )`;

/** The consumer has taken a message. Of one that was put back meanwhile by a replay nothing is marked, so that it is sent again. */
export async function markDelivered(client: pg.Client, deliveryId: bigint, now: Date): Promise<void> {
  await client.query({
    name: 'delivered',
    text: `WITH ended AS (DELETE FROM delivery WHERE delivery_id = $1 RETURNING webhook_id, agent_id), ${turnToNext}
      UPDATE hook SET pending = pending - 1, last_delivered_at = $2 WHERE webhook_id = (SELECT webhook_id FROM ended)`,
    values: [String(deliveryId), now],
  });
}

/** A consumer that could not be reached is there again: what only waited for that is due now. */
export async function wakeUnreached(client: pg.Client, webhookId: string, now: Date): Promise<void> {
  await client.query({
    name: 'wake-unreached',
    text: 'UPDATE lane SET due_at = $2 WHERE webhook_id = $1 AND unreached AND due_at > $2',
    values: [webhookId, now],
  });
}

/** An attempt has failed and another follows. */
export async function markFailed(
  client: pg.Client,
  deliveryId: bigint,
  failure: { now: Date; reason: string; dueAt: Date; wasReached: boolean },
): Promise<void> {
  await client.query({
    name: 'failed',
    text: `WITH failed AS (
        UPDATE delivery SET attempts = attempts + 1, last_attempt_at = $2, last_failure = $3 WHERE delivery_id = $1
        RETURNING webhook_id
      ), later AS (
        UPDATE lane SET due_at = $4, unreached = NOT $5::boolean WHERE delivery_id = $1
      )
      UPDATE hook SET last_failed_at = $2, last_failure = $3 WHERE webhook_id = (SELECT webhook_id FROM failed)`,
    values: [String(deliveryId), failure.now, failure.reason, failure.dueAt, failure.wasReached],
  });
}

/** The last attempt has failed. The change is kept to be looked at, and the agent's next one has its turn. */
export async function markDead(
  client: pg.Client,
  deliveryId: bigint,
  { now, reason }: { now: Date; reason: string },
): Promise<void> {
  const { rows } = await client.query<{ webhookId: string }>({
    name: 'dead',
    text: `WITH ended AS (
        UPDATE delivery SET attempts = attempts + 1, last_attempt_at = $2, last_failure = $3, dead_at = $2
        WHERE delivery_id = $1 RETURNING webhook_id, agent_id
      ), ${turnToNext}
      UPDATE hook SET pending = pending - 1, last_failed_at = $2, last_failure = $3
      WHERE webhook_id = (SELECT webhook_id FROM ended) RETURNING webhook_id AS "webhookId"`,
    values: [String(deliveryId), now, reason],
  });
  for (const { webhookId } of rows) {
    await client.query({
      name: 'forget-dead-letters',
      text: `DELETE FROM delivery WHERE delivery_id IN (SELECT delivery_id FROM delivery
        WHERE webhook_id = $1 AND dead_at IS NOT NULL ORDER BY position DESC OFFSET ${limits.webhookDeadLettersMax})`,
      values: [webhookId],
    });
  }
}

/**
 * Nothing was sent, for reasons that are not the message's: another try later, which counts as the same. The same would become of all other
 * messages of the webhook, so they wait with it.
 */
export async function postpone(client: pg.Client, webhookId: string, dueAt: Date): Promise<void> {
  await client.query({
    name: 'postpone',
    text: 'UPDATE lane SET due_at = $2, unreached = true WHERE webhook_id = $1 AND due_at < $2',
    values: [webhookId, dueAt],
  });
}

/** The consumer wants no more messages (410). What waits is dropped; the webhook remembers from where on. */
export async function disable(client: pg.Client, webhookId: string, now: Date): Promise<void> {
  await client.query({
    name: 'disable',
    text: `WITH dropped AS (DELETE FROM delivery WHERE webhook_id = $1 AND dead_at IS NULL RETURNING position),
      lanes AS (DELETE FROM lane WHERE webhook_id = $1)
      UPDATE hook SET disabled_at = $2, pending = 0, last_failed_at = $2, last_failure = 'status_410',
        resume_from = least((SELECT min(position) FROM dropped), behind_at + 1)
      WHERE webhook_id = $1 AND disabled_at IS NULL`,
    values: [webhookId, now],
  });
}
