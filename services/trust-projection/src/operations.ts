import type { getOperations, Replay } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { InstanceState } from '@agent-trust/nats-rpc';
import type { RunnerStatus } from '@agent-trust/projections';
import sql, { raw } from 'sql-template-tag';
import type { z } from 'zod';
import type { SignedHeadStore } from './log-signing/signed-head-store.ts';
import type { WatchedWitnesses } from './log-signing/watch-witnesses.ts';
import type { ReadModelDatabase } from './shared/database.ts';
import { outboxSchema } from './webhooks/outbox/session.ts';

type Output = z.output<typeof getOperations.output>;
type OperationsParts = {
  log: Pick<EventLog, 'readAll'>;
  database: ReadModelDatabase;
  lastSigned: SignedHeadStore['lastSigned'];
  witnesses: WatchedWitnesses['shown'];
  signingFault: () => string | null;
  runningReplay: () => Promise<Replay | null>;
};

/** What an operator wants to know of this installation, beside the state of its parts. What cannot be found out is null. */
export function operationsMethods(parts: OperationsParts) {
  const known = <Value>(work: Promise<Value>): Promise<Value | null> => work.catch(() => null);
  return {
    getOperations: async (): Promise<Output> => {
      const [lagSeconds, checkpoint, webhooks, replay] = await Promise.all([
        known(lagOf(parts)),
        known(checkpointOf(parts)),
        known(webhooksOf(parts.database)),
        known(parts.runningReplay()),
      ]);
      return { lagSeconds, checkpoint, witnesses: [...parts.witnesses()], webhooks, replay };
    },
  };
}

/** How long the oldest event that is not applied yet has been in the log. */
const lagOf = async ({ log, database }: OperationsParts): Promise<number> => {
  const [row] = await database.query<{ position: bigint | null }>(sql`SELECT position FROM projection_checkpoint`);
  const [next] = await log.readAll({ after: row?.position ?? null, countMax: 1 });
  return next === undefined ? 0 : Math.max(0, Math.round((Date.now() - next.recordedAt.getTime()) / 100) / 10);
};

const checkpointOf = async ({ lastSigned, signingFault }: OperationsParts): Promise<Output['checkpoint']> => {
  const newest = await lastSigned();
  if (newest === null) return null;
  const signedAt = new Date(Date.now() - newest.ageSeconds * 1_000).toISOString();
  return { size: newest.size, signedAt, fault: signingFault() };
};

const webhooksOf = async (database: ReadModelDatabase): Promise<Output['webhooks']> => {
  const outbox = raw(outboxSchema);
  const [row] = await database.query<{
    webhooks: number;
    disabled: number;
    behind: number;
    pending: number;
    oldestPendingAt: Date | null;
    deadLetters: number;
  }>(sql`
    SELECT count(*)::int AS webhooks, count(*) FILTER (WHERE disabled_at IS NOT NULL)::int AS disabled,
      count(*) FILTER (WHERE disabled_at IS NULL AND behind_at IS NOT NULL)::int AS behind,
      coalesce(sum(pending), 0)::int AS pending,
      (SELECT at FROM ${outbox}.delivery WHERE dead_at IS NULL ORDER BY delivery_id LIMIT 1) AS oldest_pending_at,
      (SELECT count(*)::int FROM ${outbox}.delivery WHERE dead_at IS NOT NULL) AS dead_letters
    FROM ${outbox}.hook`);
  return row === undefined ? null : { ...row, oldestPendingAt: row.oldestPendingAt?.toISOString() ?? null };
};

/** What this instance says of itself when all are asked. A standby knows of no fault of the active one. */
export function instanceState({ state, poison, error }: RunnerStatus): InstanceState {
  return {
    role: state === 'active' ? 'active' : 'standby',
    fault: poison === null ? error : `stopped at position ${poison.position}: ${poison.message}`,
    poisonPosition: poison === null ? null : String(poison.position),
  };
}
