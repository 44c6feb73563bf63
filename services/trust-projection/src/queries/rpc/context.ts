import type { EventLog } from '@agent-trust/event-log';
import type { CallContext, Rpc } from '@agent-trust/nats-rpc';
import type { CheckpointWatcher, Runner } from '@agent-trust/projections';
import type { LogSigning } from '../../log-signing/start-log-signing.ts';
import type { LogRecord } from '../../audit/start-audit.ts';
import type { ReadModelDatabase } from '../database.ts';
import type { OpenContactInfo } from '../contact-info.ts';
import type { RegistryQueries } from '../registry-queries.ts';

/** What the methods are served with. */
export type QueryContext = {
  rpc: Rpc;
  queries: RegistryQueries;
  database: ReadModelDatabase;
  openContactInfo: OpenContactInfo;
  watcher: CheckpointWatcher;
  runner: Runner;
  log: EventLog;
  logRecord: LogRecord;
  logSigning: LogSigning;
  /** Waits for a query's `atLeast`; see `reach`. */
  reach: (position: string | undefined, call: CallContext, timeoutMs?: number) => Promise<void>;
};
