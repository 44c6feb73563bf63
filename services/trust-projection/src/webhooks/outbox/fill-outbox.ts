import { inTransaction } from '@agent-trust/projections';
import type pg from 'pg';
import { readModelSchema } from '../../shared/database.ts';
import { webhookLimits } from '../limits.ts';
import { syncHooks } from './sync-hooks.ts';

/**
 * The position up to which the outbox is filled, whether there is more to add now, and whether a webhook is behind: then there may be as
 * soon as something of what waits was delivered.
 */
export type FilledOutbox = { position: bigint; isMore: boolean; isBehind: boolean };

// A webhook receives changes of all agents of its organisation, or of named agents. Changes in a sandbox are not sent.
const concerned = `
  SELECT h.webhook_id, t.* FROM ${readModelSchema}.trust_history t
    JOIN ${readModelSchema}.agent a ON a.agent_id = t.agent_id AND a.universe = 'production'
    JOIN ${readModelSchema}.webhook w ON w.org_id = a.org_id AND w.agent_ids IS NULL
    JOIN receiving h ON h.webhook_id = w.webhook_id
  WHERE t.position > $1 AND t.position <= $2 AND t.position > h.starts_after
  UNION ALL
  SELECT h.webhook_id, t.* FROM ${readModelSchema}.trust_history t
    JOIN ${readModelSchema}.agent a ON a.agent_id = t.agent_id AND a.universe = 'production'
    JOIN ${readModelSchema}.webhook w ON t.agent_id = ANY (w.agent_ids)
    JOIN receiving h ON h.webhook_id = w.webhook_id
  WHERE t.position > $1 AND t.position <= $2 AND t.position > h.starts_after`;

/**
 * Puts the changes of a page of the log into the outbox: for the webhook that is named, or for all that are not behind. The id of a message
 * is made from its webhook, position and agent, so that it is the same however often the change is added.
 */
const addChanges = async (client: pg.Client, after: bigint, to: bigint, webhookId: string | null): Promise<void> => {
  await client.query({
    name: 'fill-outbox',
    text: `WITH receiving AS (
        SELECT webhook_id, starts_after FROM hook
        WHERE disabled_at IS NULL AND CASE WHEN $3::text IS NULL THEN behind_at IS NULL ELSE webhook_id = $3 END
      ), fed AS (
        INSERT INTO delivery (webhook_id, agent_id, position, message_id, at, trust_policy, trust_score, previous_score,
          cause_type, cause_event_id, transaction_id)
        SELECT webhook_id, agent_id, position,
          'msg_' || left(encode(sha256(convert_to(webhook_id || ' ' || position || ' ' || agent_id, 'UTF8')), 'hex'), 40),
          at, trust_policy, trust_score, previous_score, cause_type, cause_event_id, transaction_id
        FROM (${concerned}) change ORDER BY position
        ON CONFLICT (webhook_id, agent_id, position) DO NOTHING
        RETURNING webhook_id, agent_id, position, delivery_id
      ), lanes AS (
        INSERT INTO lane (webhook_id, agent_id, delivery_id, due_at)
        SELECT DISTINCT ON (webhook_id, agent_id) webhook_id, agent_id, delivery_id, now() FROM fed
        ORDER BY webhook_id, agent_id, position
        ON CONFLICT (webhook_id, agent_id) DO NOTHING
      )
      UPDATE hook SET pending = pending + added.count
      FROM (SELECT webhook_id, count(*)::int AS count FROM fed GROUP BY webhook_id) added
      WHERE hook.webhook_id = added.webhook_id`,
    values: [String(after), String(to), webhookId],
  });
};

/** The end of a page that begins after a position and has about `changesPerRoundMax` changes. */
const endOfPage = async (client: pg.Client, after: bigint, last: bigint): Promise<bigint> => {
  const { rows } = await client.query<{ changes: number; position: bigint | null }>({
    name: 'end-of-page',
    // Changes of one position (of several agents, by one event) are never parted: the position is all that is remembered.
    text: `SELECT count(*)::int AS changes, max(position) AS position FROM (
        SELECT position FROM ${readModelSchema}.trust_history WHERE position > $1 AND position <= $2
        ORDER BY position FETCH FIRST ${webhookLimits.changesPerRoundMax} ROWS WITH TIES) page`,
    values: [String(after), String(last)],
  });
  const [found] = rows;
  const isWhole = found === undefined || found.position === null || found.changes < webhookLimits.changesPerRoundMax;
  return isWhole ? last : (found.position ?? last);
};

/** Brings on webhooks that are behind, as far as they have room. Answers whether one could go on at once. */
const bringOn = async (client: pg.Client, upTo: bigint): Promise<boolean> => {
  const { rows } = await client.query<{ webhookId: string; behindAt: bigint }>({
    name: 'webhooks-behind',
    text: `SELECT webhook_id AS "webhookId", behind_at AS "behindAt" FROM hook
      WHERE behind_at IS NOT NULL AND disabled_at IS NULL AND pending <= ${webhookLimits.pendingPerWebhookMax / 2}
      ORDER BY behind_at LIMIT ${webhookLimits.behindPerRoundMax}`,
  });
  let isMore = rows.length === webhookLimits.behindPerRoundMax;
  for (const { webhookId, behindAt } of rows) {
    const to = behindAt >= upTo ? upTo : await endOfPage(client, behindAt, upTo);
    if (behindAt < to) await addChanges(client, behindAt, to, webhookId);
    isMore ||= to < upTo;
    await client.query({
      name: 'webhook-brought-on',
      text: 'UPDATE hook SET behind_at = $2 WHERE webhook_id = $1',
      values: [webhookId, to >= upTo ? null : String(to)],
    });
  }
  return isMore;
};

const round = async (client: pg.Client): Promise<FilledOutbox> => {
  const { rows } = await client.query<{ checkpoint: bigint | null; position: bigint }>({
    name: 'handed-over',
    text: `SELECT c.position AS checkpoint, h.position FROM ${readModelSchema}.projection_checkpoint c, handed_over h`,
  });
  const [at] = rows;
  if (at === undefined) throw new Error('the outbox or the read models have no position');
  const { checkpoint, position } = at;
  if (checkpoint === null || checkpoint < position) return { position, isMore: false, isBehind: false };
  const hooks = await syncHooks(client, position);
  const to = hooks === 0 ? checkpoint : await endOfPage(client, position, checkpoint);
  if (to > position) {
    if (hooks > 0) await addChanges(client, position, to, null);
    await client.query({
      name: 'outbox-position',
      text: 'UPDATE handed_over SET position = $1',
      values: [String(to)],
    });
  }
  if (hooks === 0) return { position: to, isMore: false, isBehind: false };
  await client.query({
    name: 'webhooks-full',
    text: `UPDATE hook SET behind_at = $1
      WHERE behind_at IS NULL AND disabled_at IS NULL AND pending >= ${webhookLimits.pendingPerWebhookMax}`,
    values: [String(to)],
  });
  const isMore = await bringOn(client, to);
  const behind = await client.query<{ isBehind: boolean }>({
    name: 'any-behind',
    text: 'SELECT EXISTS (SELECT FROM hook WHERE behind_at IS NOT NULL AND disabled_at IS NULL) AS "isBehind"',
  });
  return { position: to, isMore: isMore || to < checkpoint, isBehind: behind.rows[0]?.isBehind === true };
};

/**
 * One round: what has changed in the read models since the last goes into the outbox, in one transaction with the mark of how far it went.
 * A read model that is behind that mark is being built anew, and is waited for.
 */
export async function fillOutbox(client: pg.Client): Promise<FilledOutbox> {
  // Read models that were exchanged meanwhile are read in the next round.
  return (await inOneBuild(client, () => round(client))) ?? { position: -1n, isMore: true, isBehind: false };
}

/** Rolls back what was read from two builds. */
class ReadModelsExchanged extends Error {}

/**
 * Runs the work in a transaction whose reads are of one moment and of one build of the read models. A replay that ends meanwhile gives their
 * name to a build whose last rows are younger than that moment: a webhook or a change that stands in both builds would look as if it were
 * gone. Answers null then, and nothing was written.
 */
const inOneBuild = async <Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result | null> => {
  const build = async (): Promise<string | null> => {
    // Answered from the catalog as it is now, whatever moment the transaction reads as of.
    const { rows } = await client.query<{ schema: string | null }>({
      name: 'read-models-build',
      text: 'SELECT to_regnamespace($1)::oid::text AS schema',
      values: [readModelSchema],
    });
    return rows[0]?.schema ?? null;
  };
  try {
    return await inTransaction(
      client,
      async () => {
        const before = await build();
        const result = await work();
        if ((await build()) !== before) throw new ReadModelsExchanged('the read models were exchanged');
        return result;
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
  } catch (error) {
    if (error instanceof ReadModelsExchanged) return null;
    throw error;
  }
};
