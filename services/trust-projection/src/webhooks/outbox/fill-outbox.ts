import { inTransaction } from '@agent-trust/projections';
import sql, { raw } from 'sql-template-tag';
import { readModelSchema } from '../../shared/database.ts';
import { webhookLimits } from '../limits.ts';
import { messagesFor } from './messages.ts';
import { syncHooks } from './sync-hooks.ts';
import type { OutboxDatabase } from './session.ts';

/**
 * The position up to which the outbox is filled; whether there is more to add now; whether a webhook is behind: then there may be more as soon
 * as a waiting message is delivered; and whether no webhook is active.
 */
export type FilledOutbox = { position: bigint; isMore: boolean; isBehind: boolean; isUnused: boolean };

/** Before the first round, and after one that has to be repeated. */
export const notFilled: FilledOutbox = { position: -1n, isMore: true, isBehind: false, isUnused: false };

const readModels = raw(readModelSchema);

/** Puts the changes and notices of a page of the log into the outbox: for the named webhook, or for all that are not behind. */
const addChanges = async (
  outbox: OutboxDatabase,
  after: bigint,
  to: bigint,
  webhookId: string | null,
): Promise<void> => {
  await outbox.query(sql`
    WITH receiving AS (
      SELECT h.webhook_id, h.starts_after, w.org_id, w.agent_ids
      FROM hook h JOIN ${readModels}.webhook w ON w.webhook_id = h.webhook_id
      WHERE h.disabled_at IS NULL AND ${webhookId === null ? sql`h.behind_at IS NULL` : sql`h.webhook_id = ${webhookId}`}
    ), fed AS (
      INSERT INTO delivery (webhook_id, agent_id, position, message_id, at, type, trust_policy, trust_score, previous_score,
        org_domain, reason, cause_type, cause_event_id, transaction_id, agents, record, previous_record)
      ${messagesFor(after, to)} ORDER BY position
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
    WHERE hook.webhook_id = added.webhook_id`);
};

/** The end of a page that begins after a position and has about `changesPerRoundMax` changes and notices. */
export async function endOfPage(outbox: Pick<OutboxDatabase, 'query'>, after: bigint, last: bigint): Promise<bigint> {
  // Changes of one position (of several agents, by one event) are never parted: only the position is remembered.
  const [found] = await outbox.query<{
    changes: number;
    position: bigint | null;
  }>(sql`
    SELECT count(*)::int AS changes, max(position) AS position FROM (
      SELECT position FROM (
        SELECT position FROM ${readModels}.trust_history UNION ALL SELECT position FROM ${readModels}.webhook_notice
      ) sent WHERE position > ${after} AND position <= ${last}
      ORDER BY position FETCH FIRST (${webhookLimits.changesPerRoundMax}) ROWS WITH TIES) page`);
  const isFull = found !== undefined && found.changes >= webhookLimits.changesPerRoundMax;
  return isFull ? (found.position ?? last) : last;
}

/** Brings on webhooks that are behind, as far as they have room. Returns whether one could go on at once. */
const bringOn = async (outbox: OutboxDatabase, upTo: bigint): Promise<boolean> => {
  const hooks = await outbox.query<{ webhookId: string; behindAt: bigint }>(sql`
    SELECT webhook_id, behind_at FROM hook
    WHERE behind_at IS NOT NULL AND disabled_at IS NULL AND pending <= ${webhookLimits.pendingPerWebhookMax / 2}
    ORDER BY behind_at LIMIT ${webhookLimits.behindPerRoundMax}`);
  let isMore = hooks.length === webhookLimits.behindPerRoundMax;
  for (const { webhookId, behindAt } of hooks) {
    const to = behindAt >= upTo ? upTo : await endOfPage(outbox, behindAt, upTo);
    if (behindAt < to) await addChanges(outbox, behindAt, to, webhookId);
    isMore ||= to < upTo;
    const behind = to >= upTo ? null : to;
    await outbox.query(sql`UPDATE hook SET behind_at = ${behind} WHERE webhook_id = ${webhookId}`);
  }
  return isMore;
};

const round = async (outbox: OutboxDatabase): Promise<FilledOutbox> => {
  const [at] = await outbox.query<{ checkpoint: bigint | null; position: bigint }>(
    sql`SELECT c.position AS checkpoint, h.position FROM ${readModels}.projection_checkpoint c, handed_over h`,
  );
  if (at === undefined) throw new Error('the outbox or the read models have no position');
  const { checkpoint, position } = at;
  if (checkpoint === null || checkpoint < position)
    return { position, isMore: false, isBehind: false, isUnused: false };
  const hooks = await syncHooks(outbox, position);
  const to = hooks === 0 ? checkpoint : await endOfPage(outbox, position, checkpoint);
  if (to > position) {
    if (hooks > 0) await addChanges(outbox, position, to, null);
    await outbox.query(sql`UPDATE handed_over SET position = ${to}`);
  }
  if (hooks === 0) return { position: to, isMore: false, isBehind: false, isUnused: true };
  await outbox.query(sql`
    UPDATE hook SET behind_at = ${to}
    WHERE behind_at IS NULL AND disabled_at IS NULL AND pending >= ${webhookLimits.pendingPerWebhookMax}`);
  const isMore = await bringOn(outbox, to);
  const [behind] = await outbox.query<{ isBehind: boolean }>(
    sql`SELECT EXISTS (SELECT FROM hook WHERE behind_at IS NOT NULL AND disabled_at IS NULL) AS is_behind`,
  );
  return { position: to, isMore: isMore || to < checkpoint, isBehind: behind?.isBehind === true, isUnused: false };
};

/**
 * One round: changes and notices of the read models since the last round go into the outbox, in one transaction with the mark of how far it went.
 * A read model that is behind that mark is being rebuilt, and is waited for.
 */
export async function fillOutbox(outbox: OutboxDatabase): Promise<FilledOutbox> {
  const position = await passUnused(outbox);
  if (position !== null) return { position, isMore: false, isBehind: false, isUnused: true };
  // Read models that were exchanged meanwhile are read in the next round.
  return (await inOneBuild(outbox, () => round(outbox))) ?? notFilled;
}

/**
 * While there is no webhook, the mark of how far the outbox is filled moves on with one statement, also past a webhook that was registered
 * at this moment: one that begins before the mark is behind. Null, with nothing written, if there is a webhook or nothing to pass.
 */
const passUnused = async (outbox: OutboxDatabase): Promise<bigint | null> => {
  const [passed] = await outbox.query<{ position: bigint }>(sql`
    UPDATE handed_over h SET position = c.position FROM ${readModels}.projection_checkpoint c
    WHERE c.position > h.position
      AND NOT EXISTS (SELECT FROM hook) AND NOT EXISTS (SELECT FROM ${readModels}.webhook)
    RETURNING h.position`);
  return passed?.position ?? null;
};

/** Rolls back what was read from two builds. */
class ReadModelsExchanged extends Error {}

/**
 * Runs the work in a transaction whose reads are of one moment and of one build of the read models; null, with nothing written, if they
 * were exchanged. A replay that ends meanwhile gives their name to a build whose last rows are younger than that moment: a webhook or a
 * change that is in both builds would look as if it were gone.
 */
const inOneBuild = async <Result>(outbox: OutboxDatabase, work: () => Promise<Result>): Promise<Result | null> => {
  const build = async (): Promise<string | null> => {
    // Answered from the catalog as it is now, whatever moment the transaction reads as of.
    const [row] = await outbox.query<{ schema: string | null }>(
      sql`SELECT to_regnamespace(${readModelSchema})::oid::text AS schema`,
    );
    return row?.schema ?? null;
  };
  try {
    return await inTransaction(
      outbox.client,
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
