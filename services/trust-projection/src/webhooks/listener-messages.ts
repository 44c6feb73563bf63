import { DomainError, type ListenedGroup, type listWebhookMessages } from '@agent-trust/contracts';
import type { CallContext } from '@agent-trust/nats-rpc';
import { WaitForPositionError } from '@agent-trust/projections';
import sql from 'sql-template-tag';
import type { z } from 'zod';
import type { ReadModelDatabase } from '../shared/database.ts';
import { queryLimits } from '../shared/limits.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { messageBody } from './delivery/message.ts';
import type { DueMessage } from './outbox/deliveries.ts';
import { endOfPage } from './outbox/fill-outbox.ts';
import { messagesFor } from './outbox/messages.ts';

type Input = z.output<typeof listWebhookMessages.input>;
type Output = z.output<typeof listWebhookMessages.output>;
type Row = DueMessage & { messageId: string };

/** What a listener is sent after a position: the messages that a webhook would get, made from the same history. */
export function listenerMessages(database: ReadModelDatabase, watcher: LogFollower['watcher']) {
  return async ({ orgId, listenerId, agentIds, after, waitMs }: Input, call: CallContext): Promise<Output> => {
    if (after === null || waitMs === 0) {
      const current = watcher.current();
      const now = current === null ? null : String(current);
      return { groups: [], upTo: now, seenTo: after ?? now, isCut: false };
    }
    const from = BigInt(after);
    await untilAfter(watcher, from, waitMs, call);
    const current = watcher.current();
    if (current === null || current <= from) return { groups: [], upTo: after, seenTo: after, isCut: false };
    const to = await endOfPage(database, from, current);
    const rows = await database.query<Row>(sql`
      WITH receiving AS (
        SELECT ${listenerId}::text AS webhook_id, ${orgId}::text AS org_id, ${agentIds}::text[] AS agent_ids, ${from}::bigint AS starts_after
      ) ${messagesFor(from, to)} ORDER BY position, agent_id`);
    return {
      groups: groupsOf(rows.map((row) => ({ ...row, orgId }))),
      upTo: String(current),
      seenTo: String(to),
      isCut: to < current,
    };
  };
}

const untilAfter = async (
  watcher: LogFollower['watcher'],
  after: bigint,
  waitMs: number,
  call: CallContext,
): Promise<void> => {
  try {
    const timeoutMs = Math.min(waitMs, queryLimits.auditWaitMsMax, call.remainingMs());
    await watcher.waitFor(after + 1n, { timeoutMs, signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters')
      throw new DomainError('overloaded', 'Too many listeners wait for messages; try again later.');
  }
};

/** The messages of one position together: a listener resumes after a position. */
const groupsOf = (rows: readonly Row[]): ListenedGroup[] => {
  const groups: ListenedGroup[] = [];
  for (const row of rows) {
    const position = String(row.position);
    let group = groups.at(-1);
    if (group?.position !== position) {
      group = { position, messages: [] };
      groups.push(group);
    }
    group.messages.push({ id: row.messageId, body: messageBody(row) });
  }
  return groups;
};
