import { DomainError } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { CallContext } from '@agent-trust/nats-rpc';
import {
  type CheckpointWatcher,
  createCheckpointWatcher,
  migrate,
  openWriterSession,
  type ProjectedEvent,
  type ReadModel,
  type RunnerStatus,
  startRunner,
  WaitForPositionError,
} from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';

/** A schema of read models that follows the log. */
export type LogFollower = {
  /** How far the schema has come, whichever instance writes it. */
  watcher: CheckpointWatcher;
  /**
   * Waits until the schema has reached a position, no longer than the caller does.
   *
   * @throws DomainError `read_model_behind`; `overloaded` when too many wait already
   */
  reach: (position: string | undefined, call: CallContext, timeoutMs?: number) => Promise<void>;
  status: () => RunnerStatus;
  stop: () => Promise<void>;
};

/** Brings the schema up to date and projects the log into it. Of several instances one writes; another takes over when it ends. */
export async function startLogFollower<Event extends ProjectedEvent>(parts: {
  databaseUrl: string;
  applicationName: string;
  schema: string;
  readModel: ReadModel<Event>;
  log: EventLog;
  logger: Logger;
  reachTimeoutMs: number;
}): Promise<LogFollower> {
  const { schema, readModel, log, logger } = parts;
  const connection = { connectionString: parts.databaseUrl, application_name: parts.applicationName };
  const session = await openWriterSession(connection, schema);
  try {
    const migrated = await migrate(session, { schema, migrations: readModel.migrations });
    if (migrated.length > 0) logger.info({ schema, migrations: migrated }, 'schema migrated');
  } finally {
    await session.end();
  }
  const watcher = createCheckpointWatcher({ connection, schema, logger });
  const runner = startRunner({ connection, schema, log, readModel, logger });
  return {
    watcher,
    reach: (position, call, timeoutMs = parts.reachTimeoutMs) => reach(watcher, position, call, timeoutMs),
    status: () => runner.status(),
    stop: async () => {
      await runner.stop();
      await watcher.close();
    },
  };
}

const reach = async (
  watcher: CheckpointWatcher,
  position: string | undefined,
  call: CallContext,
  timeoutMs: number,
): Promise<void> => {
  if (position === undefined) return;
  const wanted = BigInt(position);
  const current = watcher.current();
  // Spares the timers and the signal in the usual case.
  if (current !== null && current >= wanted) return;
  try {
    await watcher.waitFor(wanted, { timeoutMs: Math.min(timeoutMs, call.remainingMs()), signal: call.signal });
  } catch (error) {
    if (!(error instanceof WaitForPositionError)) throw error;
    if (error.reason === 'too_many_waiters') {
      throw new DomainError('overloaded', 'Too many queries wait for the read model; try again later.');
    }
    const at = error.current === null ? 'empty' : `at position ${error.current}`;
    throw new DomainError('read_model_behind', `The read model is ${at}, not yet at ${position}.`, { cause: error });
  }
};
