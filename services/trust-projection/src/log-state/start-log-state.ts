import type { EventLog } from '@agent-trust/event-log';
import { pause } from '@agent-trust/limits';
import type { Logger, ServiceContext } from '@agent-trust/service-kit';
import { type ReadModelDatabase, withConnection } from '../shared/database.ts';
import { findFault } from './find-fault.ts';
import { type LogAnchors, readLogAnchors } from './log-anchors.ts';

/** How often the log is compared with what was computed from it. */
const lookEveryMs = 1_000;
const connectTimeoutMs = 5_000;

/** Whether the event log is the one of the read models. */
export type LogStateHost = {
  /** In words without addresses; null if it is. */
  fault: () => string | null;
  accepted: () => number;
  stop: () => Promise<void>;
};

/**
 * Compares the log with what was computed from it: before anything is served, and every second, because the log may be replaced while the
 * service runs. The process ends when the operator has accepted another log: what it has in memory is of the former one.
 *
 * @throws database errors, errors of the log: of the first look
 */
export async function startLogState(
  parts: {
    database: Pick<ReadModelDatabase, 'query'>;
    log: Pick<EventLog, 'readAt' | 'readStream'>;
    logger: Logger;
    databaseUrl: string;
  } & Pick<ServiceContext<unknown>, 'fail'>,
): Promise<LogStateHost> {
  const { database, log, logger, fail } = parts;
  const stopping = new AbortController();
  let sound: LogAnchors | null = null;
  const look = async (): Promise<{ accepted: number; fault: string | null }> => {
    const anchors = await readLogAnchors(database);
    const { accepted } = anchors;
    const fault = await findFault(log, anchors);
    // The log that was right when this process looked last. A replaced one that has grown past the old position may have been applied already.
    const wasSound = sound !== null && sound.accepted === accepted ? await findFault(log, sound) : null;
    if (wasSound !== null && (fault === null || fault.hasAnother)) await rememberReplacement(parts.databaseUrl);
    else if (fault === null) sound = anchors;
    return { accepted, fault: (fault ?? wasSound)?.text ?? null };
  };
  let state = await look();
  const report = (): void => {
    if (state.fault === null) logger.info('the event log is the one of the read models');
    else
      logger.error(
        { fault: state.fault },
        'the event log is not the one of the read models: nothing is written until the right log is restored, or npm run log:accept accepts this one',
      );
  };
  if (state.fault !== null) report();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(lookEveryMs, stopping.signal);
      // While either does not answer, health says so, and what was found last holds.
      const next = stopping.signal.aborted ? null : await look().catch(() => null);
      if (next === null || stopping.signal.aborted) continue;
      if (next.accepted !== state.accepted) {
        fail(
          new Error('the operator has accepted another event log: starting again, because memory is of the former one'),
        );
        return;
      }
      const changed = next.fault !== state.fault;
      state = next;
      if (changed) report();
    }
  };
  const following = follow();
  return {
    fault: () => state.fault,
    accepted: () => state.accepted,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}

/** From now on the read models count as computed from two logs, also for other instances and after a restart, until the operator accepts one. */
const rememberReplacement = async (databaseUrl: string): Promise<void> => {
  await withConnection({ connectionString: databaseUrl, connectionTimeoutMillis: connectTimeoutMs }, (client) =>
    client.query(
      `INSERT INTO log_signing.accepted_log (agreed_position)
       SELECT NULL WHERE NOT EXISTS (SELECT FROM log_signing.accepted_log WHERE completed_at IS NULL)`,
    ),
  );
};
