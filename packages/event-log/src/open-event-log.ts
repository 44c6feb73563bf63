import { EventLogSetupError } from './errors.ts';
import type { AdapterOptions } from './adapter.ts';
import type { EventLog } from './port.ts';
import type { LogRetention } from './retention.ts';

/** Opens the event log at `url` for a service, and refuses one that this build cannot read. */
export async function openCheckedEventLog(url: string, options: AdapterOptions = {}): Promise<EventLog> {
  const log = await openEventLog(url, options);
  try {
    await log.checkFormat();
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/**
 * Opens the event log at `url`: `postgres://`, `postgresql://`, or `esdb://`, `esdb+discover://`, `kurrentdb://`, `kurrentdb+discover://`. The
 * adapter is loaded on demand, so a service on Postgres never loads gRPC. Connects at the first call.
 */
export async function openEventLog(url: string, options: AdapterOptions = {}): Promise<EventLog> {
  const scheme = url.slice(0, Math.max(0, url.indexOf(':')));
  switch (scheme) {
    case 'postgres':
    case 'postgresql': {
      const { openPostgresEventLog } = await import('./postgres/event-log.ts');
      return openPostgresEventLog(url, options);
    }
    case 'esdb':
    case 'esdb+discover':
    case 'kurrentdb':
    case 'kurrentdb+discover': {
      const { openEventStoreDbEventLog } = await import('./eventstoredb/event-log.ts');
      return openEventStoreDbEventLog(url.replace(/^kurrentdb/, 'esdb'), options);
    }
    default:
      throw new EventLogSetupError(
        `EVENT_LOG_URL must start with postgres:// or esdb://, not ${JSON.stringify(`${scheme}:`)}.`,
      );
  }
}

/** Opens what only the user of retention may do with the log at `url`, whose forms are those of `openEventLog`. */
export async function openLogRetention(url: string, options: AdapterOptions = {}): Promise<LogRetention> {
  if (/^postgres(?:ql)?:/u.test(url)) {
    const { openPostgresRetention } = await import('./postgres/retention.ts');
    return openPostgresRetention(url, options);
  }
  const { openEventStoreDbRetention } = await import('./eventstoredb/retention.ts');
  return openEventStoreDbRetention(url.replace(/^kurrentdb/, 'esdb'), options);
}
