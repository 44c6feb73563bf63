import type { EventLog } from '@agent-trust/event-log';
import type { Client } from 'pg';
import { checkpointChannel, readCheckpoint } from '../checkpoint.ts';
import { projectionLimits, type ProjectionLogger } from '../limits.ts';
import type { ProjectedEvent } from '../projection.ts';
import { inTransaction } from '../session.ts';
import { quoteIdentifier } from '../table.ts';
import { readPages } from './progress.ts';
import type { ReplayWriter } from './replay-writer.ts';

const switchAttemptsMax = 20;
const dropAttemptsMax = 5;

export function retiredSchema(schema: string): string {
  return `${schema}_retired`;
}

/** Events were appended faster than they could be applied while the live runner was blocked. */
class TooFarBehindError extends Error {}

/** What must hold while all rows change at once. */
export type SwitchGuard = {
  /** Asked before what cannot be taken back, and directly before the commit. @throws Error if it does not hold any more */
  ensureHeld: () => Promise<void>;
  end: () => Promise<void>;
};

/**
 * Gives the new schema the live one's name.
 *
 * The lock of the live checkpoint's row blocks the runner (readers continue) until the new read model has at least the live position, so
 * that no reader goes back in time. The new generation in the old row makes the runner's blocked transaction fail: it would otherwise
 * write to tables that are about to be dropped.
 */
export async function switchSchemas<Event extends ProjectedEvent>(options: {
  client: Client;
  schema: string;
  next: string;
  log: EventLog;
  writer: ReplayWriter<Event>;
  /** Applies and commits what the log has now. */
  catchUp: () => Promise<void>;
  /** See `ReplayOptions.atSwitch`. */
  atSwitch: (() => Promise<bigint>) | undefined;
  guard: SwitchGuard | undefined;
}): Promise<void> {
  const { client, schema, next, log, writer } = options;
  for (let attempt = 1; ; attempt += 1) {
    await options.catchUp();
    try {
      await inTransaction(client, async () => {
        const live = await readCheckpoint(client, schema, { forUpdate: true });
        await applyLast(log, writer, live.position);
        await options.guard?.ensureHeld();
        if (options.atSwitch !== undefined) await applyUpTo(log, writer, await options.atSwitch());
        await client.query(
          `UPDATE ${quoteIdentifier(schema)}.projection_checkpoint SET generation = gen_random_uuid();
           ALTER SCHEMA ${quoteIdentifier(schema)} RENAME TO ${quoteIdentifier(retiredSchema(schema))};
           ALTER SCHEMA ${quoteIdentifier(next)} RENAME TO ${quoteIdentifier(schema)}`,
        );
        const position = writer.position;
        if (position !== null) {
          await client.query('SELECT pg_notify($1, $2)', [checkpointChannel(schema), String(position)]);
        }
        await options.guard?.ensureHeld();
      });
      return;
    } catch (error) {
      if (!(error instanceof TooFarBehindError) || attempt >= switchAttemptsMax) throw error;
    }
  }
}

const applyLast = async <Event extends ProjectedEvent>(
  log: EventLog,
  writer: ReplayWriter<Event>,
  livePosition: bigint | null,
): Promise<void> => {
  const after = writer.position;
  if (livePosition === null || (after !== null && after >= livePosition)) return;
  const countMax = projectionLimits.switchEventsMax;
  const pages = readPages(log, { after, upTo: livePosition, countMax });
  const first = await pages.next();
  const more = await pages.next();
  // Nothing has been applied yet, so the writer's rows are still right after the rollback.
  if (more.done !== true) throw new TooFarBehindError();
  if (first.done !== true) await writer.writeWithin(first.value);
};

/** Applies all events up to the position, however many: an append cannot be undone, so the switch cannot start over. */
const applyUpTo = async <Event extends ProjectedEvent>(
  log: EventLog,
  writer: ReplayWriter<Event>,
  upTo: bigint,
): Promise<void> => {
  const countMax = projectionLimits.switchEventsMax;
  for await (const page of readPages(log, { after: writer.position, upTo, countMax })) await writer.writeWithin(page);
  if (writer.position === null || writer.position < upTo) throw new Error(`the log has no event at position ${upTo}`);
};

/** Removes the former live schema. Waits for its last readers in short attempts, so that new statements do not queue behind it. */
export async function dropRetired(
  client: Client,
  schema: string,
  { lockTimeoutMs, logger }: { lockTimeoutMs: number; logger: ProjectionLogger },
): Promise<void> {
  const retired = retiredSchema(schema);
  await client.query(`SET lock_timeout TO ${lockTimeoutMs}`);
  for (let attempt = 1; attempt <= dropAttemptsMax; attempt += 1) {
    try {
      await client.query(`DROP SCHEMA IF EXISTS ${quoteIdentifier(retired)} CASCADE`);
      return;
    } catch (error) {
      logger.warn({ err: error, schema: retired }, 'the retired read model is still being read');
    }
  }
  logger.warn({ schema: retired }, 'the retired read model is left for the next replay to remove');
}
