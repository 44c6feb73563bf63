import type { EventLog } from '@agent-trust/event-log';
import type { Logger } from '@agent-trust/service-kit';
import type { LogRecord } from '../audit/start-audit.ts';
import { type Checkpoints, checkpointsOf } from './checkpoints.ts';
import { type LogIdentity, logIdentity } from './log-identity.ts';
import { openSignedHeadStore } from './signed-head-store.ts';

/** Who signs for the log in this instance. Every instance does, and all say the same. */
export type LogSigning = {
  identity: LogIdentity;
  checkpoints: Checkpoints;
  stop(): Promise<void>;
};

/** Makes the log's identity of its settings and opens the memory of what was signed. */
export async function startLogSigning(parts: {
  origin: string;
  seed: Uint8Array;
  databaseUrl: string;
  log: EventLog;
  logRecord: LogRecord;
  logger: Logger;
}): Promise<LogSigning> {
  const { origin, seed, databaseUrl, log, logRecord, logger } = parts;
  const identity = await logIdentity(origin, seed);
  const store = await openSignedHeadStore(databaseUrl, origin, (err) =>
    logger.warn({ err }, 'database connection lost'),
  );
  const checkpoints = checkpointsOf({ identity, store, database: logRecord.database, log, logger });
  return { identity, checkpoints, stop: () => store.close() };
}
