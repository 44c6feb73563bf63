import { limits, type recordChangedType, type WebhookNoticeType } from '@agent-trust/contracts';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { TrustHistoryRow } from '../../projector/read-models/trust-history/projection.ts';
import { readModelSchema } from '../../shared/database.ts';
import { webhookLimits } from '../limits.ts';
import type { OutboxDatabase } from './session.ts';

/** A notice of an agent, or of the webhook's organisation: then the agent id is empty. */
type Notice = Pick<TrustHistoryRow, 'agentId' | 'position' | 'at' | 'causeType' | 'causeEventId' | 'transactionId'> & {
  type: WebhookNoticeType;
  orgDomain: string | null;
  reason: string | null;
};

/** A change of the record of the webhook's organisation that changed the scores of many of its agents. */
type RecordChange = Omit<Notice, 'type' | 'orgDomain' | 'reason'> & {
  type: typeof recordChangedType;
  orgId: string;
  trustPolicy: string;
  agents: number;
  record: number;
  previousRecord: number;
};

/** What a message says. */
export type DueMessage = Notice | RecordChange | (TrustHistoryRow & { type: 'trust_score.changed' });

/** A message that is due to be sent, with its target and what its signature is made from. */
export type DueDelivery = DueMessage & {
  deliveryId: bigint;
  webhookId: string;
  url: string;
  secretSalt: string;
  messageId: string;
  /** Attempts before this one. */
  attempts: number;
};

/** The next messages of agents whose turn it is, those due for longest first; of webhooks that have no place left, none. */
export function dueDeliveries(
  outbox: OutboxDatabase,
  now: Date,
  fullWebhooks: readonly string[],
): Promise<DueDelivery[]> {
  return outbox.query<DueDelivery>(sql`
    SELECT d.delivery_id, d.webhook_id, w.url, w.secret_salt, d.message_id, d.agent_id, d.position, d.at, d.type,
      d.trust_policy, d.trust_score, d.previous_score, d.org_domain, d.reason, d.cause_type, d.cause_event_id, d.transaction_id, d.attempts,
      w.org_id, d.agents, d.record, d.previous_record
    FROM hook h JOIN ${raw(readModelSchema)}.webhook w ON w.webhook_id = h.webhook_id
    CROSS JOIN LATERAL (
      SELECT l.delivery_id, l.due_at FROM lane l WHERE l.webhook_id = h.webhook_id AND l.due_at <= ${now}
      ORDER BY l.due_at LIMIT ${2 * webhookLimits.messagesAtOncePerWebhookMax}
    ) l JOIN delivery d ON d.delivery_id = l.delivery_id
    WHERE h.pending > 0 AND h.disabled_at IS NULL AND h.webhook_id <> ALL (${fullWebhooks}::text[])
    ORDER BY l.due_at LIMIT ${webhookLimits.dueAtATimeMax}`);
}

/** When the next message is due that is not due yet; null for none. */
export async function nextDueAt(outbox: OutboxDatabase, now: Date): Promise<Date | null> {
  const [row] = await outbox.query<{ dueAt: Date | null }>(
    sql`SELECT min(due_at) AS due_at FROM lane WHERE due_at > ${now}`,
  );
  return row?.dueAt ?? null;
}

/** After a message that is delivered or given up it is the turn of the agent's next one, if there is one. */
const turnToNext = (deliveryId: bigint, now: Date): Sql => sql`
  next AS (
    SELECT d.delivery_id FROM delivery d JOIN ended e USING (webhook_id, agent_id)
    WHERE d.dead_at IS NULL AND d.delivery_id <> ${deliveryId} ORDER BY d.position LIMIT 1
  ), moved AS (
    UPDATE lane SET delivery_id = next.delivery_id, due_at = ${now}, unreached = false FROM next
    WHERE lane.delivery_id = ${deliveryId}
  ), emptied AS (
    DELETE FROM lane WHERE delivery_id = ${deliveryId} AND NOT EXISTS (SELECT FROM next)
  )`;

/** The consumer has taken a message, which stays among those that it took last. If a replay put the message back meanwhile, nothing is marked, so that it is sent again. */
export async function markDelivered(outbox: OutboxDatabase, deliveryId: bigint, now: Date): Promise<void> {
  await outbox.query(sql`
    WITH ended AS (DELETE FROM delivery WHERE delivery_id = ${deliveryId} RETURNING *),
    ${turnToNext(deliveryId, now)}, counted AS (
      UPDATE hook SET pending = pending - 1, last_delivered_at = ${now}, delivered = delivered + 1
      WHERE webhook_id = (SELECT webhook_id FROM ended) RETURNING webhook_id, delivered
    )
    INSERT INTO delivered (webhook_id, place, message_id, type, agent_id, position, trust_score, previous_score, attempts, last_failure, delivered_at)
    SELECT webhook_id, c.delivered % ${limits.webhookDeliveredKeptMax}, message_id, type, agent_id, position, trust_score, previous_score,
      attempts + 1, last_failure, ${now}
    FROM ended JOIN counted c USING (webhook_id)
    ON CONFLICT (webhook_id, place) DO UPDATE SET message_id = excluded.message_id, type = excluded.type, agent_id = excluded.agent_id,
      position = excluded.position, trust_score = excluded.trust_score, previous_score = excluded.previous_score,
      attempts = excluded.attempts, last_failure = excluded.last_failure, delivered_at = excluded.delivered_at`);
}

/** A consumer that could not be reached is back: what only waited for that is due now. */
export async function wakeUnreached(outbox: OutboxDatabase, webhookId: string, now: Date): Promise<void> {
  await outbox.query(
    sql`UPDATE lane SET due_at = ${now} WHERE webhook_id = ${webhookId} AND unreached AND due_at > ${now}`,
  );
}

/** An attempt has failed and another follows. */
export async function markFailed(
  outbox: OutboxDatabase,
  deliveryId: bigint,
  { now, reason, dueAt, wasReached }: { now: Date; reason: string; dueAt: Date; wasReached: boolean },
): Promise<void> {
  await outbox.query(sql`
    WITH failed AS (
      UPDATE delivery SET attempts = attempts + 1, last_attempt_at = ${now}, last_failure = ${reason}
      WHERE delivery_id = ${deliveryId} RETURNING webhook_id
    ), later AS (
      UPDATE lane SET due_at = ${dueAt}, unreached = ${!wasReached} WHERE delivery_id = ${deliveryId}
    )
    UPDATE hook SET last_failed_at = ${now}, last_failure = ${reason} WHERE webhook_id = (SELECT webhook_id FROM failed)`);
}

/** The last attempt has failed. The change is kept for inspection, and it is the turn of the agent's next one. */
export async function markDead(
  outbox: OutboxDatabase,
  deliveryId: bigint,
  { now, reason }: { now: Date; reason: string },
): Promise<void> {
  const hooks = await outbox.query<{ webhookId: string }>(sql`
    WITH ended AS (
      UPDATE delivery SET attempts = attempts + 1, last_attempt_at = ${now}, last_failure = ${reason}, dead_at = ${now}
      WHERE delivery_id = ${deliveryId} RETURNING webhook_id, agent_id
    ), ${turnToNext(deliveryId, now)}
    UPDATE hook SET pending = pending - 1, last_failed_at = ${now}, last_failure = ${reason}
    WHERE webhook_id = (SELECT webhook_id FROM ended) RETURNING webhook_id`);
  for (const { webhookId } of hooks) {
    await outbox.query(sql`
    DELETE FROM delivery WHERE delivery_id IN (SELECT delivery_id FROM delivery WHERE webhook_id = ${webhookId}
      AND dead_at IS NOT NULL ORDER BY position DESC OFFSET ${limits.webhookDeadLettersMax})`);
  }
}

/** Nothing was sent, for a reason outside of the message: the attempt does not count. All messages of the webhook would fail alike, so all wait. */
export async function postpone(outbox: OutboxDatabase, webhookId: string, dueAt: Date): Promise<void> {
  await outbox.query(
    sql`UPDATE lane SET due_at = ${dueAt}, unreached = true WHERE webhook_id = ${webhookId} AND due_at < ${dueAt}`,
  );
}

/** The consumer wants no more messages (410). Waiting messages are dropped; the webhook remembers where to resume. */
export async function disable(outbox: OutboxDatabase, webhookId: string, now: Date): Promise<void> {
  await outbox.query(sql`
    WITH dropped AS (DELETE FROM delivery WHERE webhook_id = ${webhookId} AND dead_at IS NULL RETURNING position),
    lanes AS (DELETE FROM lane WHERE webhook_id = ${webhookId})
    UPDATE hook SET disabled_at = ${now}, pending = 0, last_failed_at = ${now}, last_failure = 'status_410',
      resume_from = least((SELECT min(position) FROM dropped), behind_at + 1)
    WHERE webhook_id = ${webhookId} AND disabled_at IS NULL`);
}
