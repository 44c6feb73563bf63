import type { EventLog } from '@agent-trust/event-log';
import {
  type CheckpointWatcher,
  createCheckpointWatcher,
  migrate,
  openWriterSession,
  type Runner,
  startRunner,
} from '@agent-trust/projections';
import type { Logger } from '@agent-trust/service-kit';
import { queryLimits } from '../limits.ts';
import { openReadModelDatabase, type ReadModelDatabase } from '../queries/database.ts';
import { logRecordReadModel, logRecordSchema } from './log-record-read-model.ts';

/** The second read model of this service, running: see `logRecordReadModel`. */
export type LogRecord = {
  /** Reads its tables. */
  database: ReadModelDatabase;
  /** How far it has come, whichever instance writes it. */
  watcher: CheckpointWatcher;
  runner: Runner;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
};

/** Brings the schema up to date and follows the log with it. Of several instances one writes, as with the read models. */
export async function startLogRecord(parts: {
  databaseUrl: string;
  log: EventLog;
  logger: Logger;
}): Promise<LogRecord> {
  const { databaseUrl, log, logger } = parts;
  const connection = { connectionString: databaseUrl, application_name: 'trust-projection log record' };
  const readModel = await logRecordReadModel();
  const session = await openWriterSession(connection, logRecordSchema);
  try {
    const migrated = await migrate(session, { schema: logRecordSchema, migrations: readModel.migrations });
    if (migrated.length > 0) logger.info({ migrations: migrated }, 'log record migrated');
  } finally {
    await session.end();
  }
  const database = openReadModelDatabase(databaseUrl, (err) => logger.warn({ err }, 'database connection lost'), {
    schema: logRecordSchema,
    connectionsMax: queryLimits.logRecordConnectionsMax,
  });
  const watcher = createCheckpointWatcher({ connection, schema: logRecordSchema, logger });
  const runner = startRunner({ connection, schema: logRecordSchema, log, readModel, logger });
  return {
    database,
    watcher,
    runner,
    stop: async () => {
      await runner.stop();
      await watcher.close();
      await database.close();
    },
  };
}
