import { z } from 'zod';
import { limits } from './limits.ts';

const id = z.uuid().nullable().default(null);

/**
 * Let a repeated command find its first outcome in the log: the ids of its events are derived from `commandId`. The id changes with the day (UTC), so
 * `earlierCommandId` is the one that the same request had the day before. Both are null without an Idempotency-Key.
 */
export const commandIds = { commandId: id, earlierCommandId: id };
export type CommandIds = { commandId: string | null; earlierCommandId: string | null };

/**
 * The ids under which a command may have been carried out already, and since when. An Idempotency-Key is new after 24 hours, so what was written
 * under the id of the day before counts only if it is not older.
 */
export function idsToFind(
  { commandId, earlierCommandId }: CommandIds,
  now: Date,
): { commandId: string; since: Date }[] {
  const since = new Date(now.getTime() - limits.idempotencyLifetimeMs);
  return [
    ...(commandId === null ? [] : [{ commandId, since: new Date(0) }]),
    ...(earlierCommandId === null ? [] : [{ commandId: earlierCommandId, since }]),
  ];
}
