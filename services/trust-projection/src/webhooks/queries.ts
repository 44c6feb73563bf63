import type { listAllWebhooks, WebhookDelivery, WebhookView } from '@agent-trust/contracts';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { z } from 'zod';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { within } from '../shared/within.ts';
import { listenerMessages } from './listener-messages.ts';
import { outboxSchema } from './outbox/session.ts';

const outbox = raw(outboxSchema);

/** What organisations see of their webhooks, and operators of all. */
export function webhookMethods(
  database: ReadModelDatabase,
  { reach, watcher }: Pick<LogFollower, 'reach' | 'watcher'>,
) {
  return {
    // Listeners wait: they are bounded by the watcher, and must not take the places of other queries.
    listWebhookMessages: listenerMessages(database, watcher),
    ...within(queryLimits.searchesConcurrentMax, {
      listWebhooks: async ({ orgId, webhookId, atLeast }, call) => {
        await reach(atLeast, call);
        return { webhooks: await findWebhooks(database, { orgId, webhookId }) };
      },
      listAllWebhooks: (wanted) => findAllWebhooks(database, wanted),
      findWebhookSalt: async ({ orgId, webhookId, atLeast }, call) => {
        await reach(atLeast, call);
        const [webhook] = await database.query<{ secretSalt: string }>(
          sql`SELECT secret_salt FROM webhook WHERE org_id = ${orgId} AND webhook_id = ${webhookId}`,
        );
        return { secretSalt: webhook?.secretSalt ?? null };
      },
      listWebhookDeliveries: async (page) => ({ page: await findWebhookDeliveries(database, page) }),
    }),
  };
}

type HookRow = Pick<WebhookView, 'webhookId' | 'url' | 'agentIds' | 'pending' | 'deadLetters'> & {
  registeredAt: Date;
  disabledAt: Date | null;
  resumeFrom: bigint | null;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  lastFailure: string | null;
};

const hookColumns = sql`w.webhook_id, w.url, w.agent_ids, w.registered_at, h.disabled_at, h.resume_from, coalesce(h.pending, 0) AS pending,
  (SELECT count(*)::int FROM ${outbox}.delivery d WHERE d.webhook_id = w.webhook_id AND d.dead_at IS NOT NULL) AS dead_letters,
  h.last_delivered_at, h.last_failed_at, h.last_failure`;
const hooks = sql`webhook w LEFT JOIN ${outbox}.hook h ON h.webhook_id = w.webhook_id`;

/** An organisation's webhooks, oldest first, or the one of an id; of one that the dispatcher has not seen yet nothing waits. */
const findWebhooks = async (
  database: ReadModelDatabase,
  { orgId, webhookId }: { orgId: string; webhookId: string | null },
): Promise<WebhookView[]> => {
  const rows = await database.query<HookRow>(sql`
    SELECT ${hookColumns} FROM ${hooks}
    WHERE w.org_id = ${orgId} AND (${webhookId}::text IS NULL OR w.webhook_id = ${webhookId}) ORDER BY w.registered_position`);
  return rows.map(toView);
};

/** A page of all organisations' webhooks, the ones with most pending messages first, and how many there are. */
const findAllWebhooks = async (
  database: ReadModelDatabase,
  { orgId, webhookId, limit, offset }: z.output<typeof listAllWebhooks.input>,
): Promise<z.output<typeof listAllWebhooks.output>> => {
  const isWanted = sql`(${orgId}::text IS NULL OR w.org_id = ${orgId}) AND (${webhookId}::text IS NULL OR w.webhook_id = ${webhookId})`;
  const [rows, [counted]] = await Promise.all([
    database.query<HookRow & { orgId: string }>(sql`
      SELECT ${hookColumns}, w.org_id FROM ${hooks} WHERE ${isWanted}
      ORDER BY coalesce(h.pending, 0) DESC, w.registered_position LIMIT ${limit}::int OFFSET ${offset}::int`),
    database.query<{ total: number }>(sql`SELECT count(*)::int AS total FROM webhook w WHERE ${isWanted}`),
  ]);
  return { webhooks: rows.map(({ orgId: of, ...row }) => ({ ...toView(row), orgId: of })), total: counted?.total ?? 0 };
};

const toView = ({
  registeredAt,
  disabledAt,
  resumeFrom,
  lastDeliveredAt,
  lastFailedAt,
  lastFailure,
  ...row
}: HookRow): WebhookView => ({
  ...row,
  createdAt: registeredAt.toISOString(),
  status: disabledAt === null ? 'active' : 'disabled',
  disabledAt: disabledAt?.toISOString() ?? null,
  resumeFrom: resumeFrom === null ? null : String(resumeFrom),
  lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
  lastFailure:
    lastFailedAt === null || lastFailure === null ? null : { at: lastFailedAt.toISOString(), reason: lastFailure },
});

type DeliveryRow = Omit<WebhookDelivery, 'position' | 'nextAttemptAt' | 'lastAttemptAt' | 'deliveredAt'> & {
  position: bigint;
  nextAttemptAt: Date | null;
  lastAttemptAt: Date | null;
  deliveredAt: Date | null;
};

const undelivered = (webhookId: Sql, status: 'pending' | 'dead' | null): Sql => sql`
  SELECT d.message_id AS webhook_message_id, d.type, CASE WHEN d.dead_at IS NULL THEN 'pending' ELSE 'dead' END AS status,
    nullif(d.agent_id, '') AS agent_id, d.position,
    d.trust_score, d.previous_score, d.attempts, l.due_at AS next_attempt_at, d.last_attempt_at, d.last_failure, NULL::timestamptz AS delivered_at
  FROM ${outbox}.delivery d LEFT JOIN ${outbox}.lane l ON l.delivery_id = d.delivery_id
  WHERE d.webhook_id = ${webhookId} AND (${status}::text IS NULL OR (d.dead_at IS NOT NULL) = (${status}::text = 'dead'))`;

const delivered = (webhookId: Sql): Sql => sql`
  SELECT d.message_id AS webhook_message_id, d.type, 'delivered' AS status, nullif(d.agent_id, '') AS agent_id, d.position,
    d.trust_score, d.previous_score, d.attempts, NULL::timestamptz AS next_attempt_at, d.delivered_at AS last_attempt_at, d.last_failure, d.delivered_at
  FROM ${outbox}.delivered d WHERE d.webhook_id = ${webhookId}`;

/**
 * A page of what is not delivered of a webhook, in the order of the log, or of what was delivered last, the newest first; null for a webhook that the
 * organisation does not have.
 */
const findWebhookDeliveries = async (
  database: ReadModelDatabase,
  page: { orgId: string; webhookId: string; status: WebhookDelivery['status'] | null; limit: number; offset: number },
): Promise<{ deliveries: WebhookDelivery[]; total: number } | null> => {
  const { orgId, webhookId, status, limit, offset } = page;
  const wanted = (id: Sql): Sql => (status === 'delivered' ? delivered(id) : undelivered(id, status));
  const [counted] = await database.query<{ total: number }>(sql`
    SELECT (SELECT count(*)::int FROM (${wanted(sql`w.webhook_id`)}) one) AS total
    FROM webhook w WHERE w.org_id = ${orgId} AND w.webhook_id = ${webhookId}`);
  if (counted === undefined) return null;
  const rows = await database.query<DeliveryRow>(sql`
    SELECT * FROM (${wanted(sql`${webhookId}`)}) one
    ORDER BY delivered_at DESC, CASE WHEN delivered_at IS NULL THEN position ELSE -position END, agent_id NULLS FIRST LIMIT ${limit}::int OFFSET ${offset}::int`);
  return {
    deliveries: rows.map((row) => ({
      ...row,
      position: String(row.position),
      nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
      lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
      deliveredAt: row.deliveredAt?.toISOString() ?? null,
    })),
    total: counted.total,
  };
};
